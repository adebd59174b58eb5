-- The last queries of the audited form, which return means with counts of users and of broken rules. The counts read
-- the same rows as the metrics. plan.audit is true. Differences from the plain form (plain.sql):
--
--   rows of results  each request has a row, also without users. Plain rows name the model, the metric
--                    and k only if there are several, and groups without users have no row
--   means            favg, which does not depend on threads; avg in a plain mean
--   broken rules     a row that breaks a rule is kept and counted. The plain form excludes ranks below
--                    1, takes the smallest of a user's segments, and checks nothing else
--   numbers          NaN is null, and numbers of logs out of bounds are null
--   missing scores   an explicit place in the order, first if they break a rule; plain: the engine's
--   equal scores     ids are compared as numbers or by code points; plain: the database's order
--   cut lists        lists from scores are cut at the largest cutoff; plain readers filter by rank
--   ideals           without grades: read from perfect, by the number of items; plain: sums over the
--                    user's truth
--   models           an enumeration in DuckDB
--   DuckDB, Spark    the faster forms of engines/duckdb.sql and ranked_before_shuffle

-- The mean over users, with the counts of users.
{% macro results_query(plan) %}
{% set unjudged = sqlrec.unjudged(plan) ~ (sqlrec.truth_totals(plan) if sqlrec.needs_list(plan)) if plan.kinds | selectattr('truth') | list %}
{{ unjudged if plan.batched }}
{%- for kind in plan.kinds %}
{{ sqlrec.counted_means(plan, kind) }}
{%- endfor %}
{{ unjudged if not plan.batched }}
{{ sqlrec.repeated_rows(plan) if sqlrec.counts_repeats(plan) }}
{{ sqlrec.violation_counts(plan) }}
{%- for kind in plan.kinds %}
{{ sqlrec.requested_metrics(kind) }},
{%- endfor %}
results as (
    {%- for kind in plan.kinds %}
    {{ 'union all' if not loop.first }}
    {%- set means = kind.name ~ '_means' %}
    {%- set requests = kind.name ~ '_requests' %}
    {%- set population = sqlrec.kind_population(plan, kind) %}
    {%- set left_out = kind.truth and population == plan.population and sqlrec.needs_list(plan) %}
    {%- set members = sqlrec.population_properties().get(population, []) %}
    {%- set unjudged_lists = 'unknown_lists' if 'is_judged' in members and 'is_relevant' not in members else 'unjudged_lists' %}
    select
        {{ sqlrec.result_keys(plan, 'models', means) }}
        {{ means ~ '.grouping_number as grouping_number,' if plan.groupings }}
        {{ requests }}.metric as metric,
        nullif({{ requests }}.k, {{ plan.whole_list }}) as k,
        {{ requests }}.request as request,
        {{ sqlrec.requested_value(kind, means ~ '.mean_') }} as value,
        coalesce({{ sqlrec.requested_value(kind, means ~ '.users_') }}, 0) as users,
        {{ sqlrec.requested_value(kind, means ~ '.error_') ~ ' as standard_error,' if plan.errors }}
        {%- for _ in plan.summaries or [] %}
        {%- set column = 'summary_' ~ loop.index %}
        {{ sqlrec.requested_value(kind, means ~ '.' ~ column ~ '_') if kind.per_user else 'cast(null as double)' }} as {{ column }},
        {%- endfor %}
        '{{ population }}' as population,
        coalesce({{ means }}.users_evaluated, 0) as users_evaluated,
        {{ 'coalesce(truth_totals.users, 0) - coalesce(unjudged.judged_lists, 0)' if left_out else 'coalesce(' ~ means ~ '.users_without_list, 0)' }} as users_without_list,
        coalesce({{ means }}.short_lists, 0) as short_lists,
        coalesce({{ means }}.ties_at_cutoff, 0) as ties_at_cutoff,
        cast({{ 'coalesce(unjudged.' ~ unjudged_lists ~ ', 0)' if kind.truth else 'null' }} as bigint) as unjudged_lists,
        cast({{ 'coalesce(repeated.repeated_rows, 0)' if sqlrec.counts_repeats(plan) else 0 }} as bigint) as repeated_rows,
        {%- for column in sqlrec.weight_columns(plan) %}
        {{ means ~ '.' ~ column if kind.weighed else 'cast(null as double)' }} as {{ column }},
        {%- endfor %}
        cast(violation_counts.violations as bigint) as violations
    from {{ requests }}
    {{ 'cross join models' if 'model' in plan.list_keys }}
    left join {{ means }} on {{ sqlrec.same_keys(plan, means, requests) }}
    {{ 'left join unjudged on ' ~ sqlrec.same_keys(plan, 'unjudged', requests, means) if kind.truth }}
    {{ 'left join truth_totals on ' ~ sqlrec.same_keys(plan, 'truth_totals', none, means, by_model=false) if left_out }}
    {{ 'left join repeated on ' ~ sqlrec.same_keys(plan, 'repeated', none, means) if sqlrec.counts_repeats(plan) }}
    cross join violation_counts
    {%- endfor %}
)
{%- endmacro %}

-- Condition: rows have the model, the cutoff of a request and the segments of a mean, as far as there are several.
{% macro same_keys(plan, table, requests, means=none, by_model=true) -%}
{%- set conditions = [table ~ '.k = ' ~ requests ~ '.k'] if requests and not plan.k else [] -%}
{%- set _ = conditions.append(table ~ '.model = models.model') if by_model and 'model' in plan.list_keys -%}
{%- set _ = conditions.append(table ~ '.grouping_number = ' ~ means ~ '.grouping_number') if means and plan.groupings -%}
{%- for segment in plan.by if means -%}
{%- set _ = conditions.append(sqlrec.same_or_null(table ~ '.' ~ segment.name, means ~ '.' ~ segment.name)) -%}
{%- endfor -%}
{{ conditions | join('\n        and ') or '1 = 1' }}
{%- endmacro %}

-- The mean over users by model, segment and cutoff, with the counts of users.
{% macro counted_means(plan, kind) %}
{{ kind.name }}_means as (
    select
        {{ plan.groups | join(', ') ~ ',' if plan.groups }}
        {{ sqlrec.grouping_number(plan) }}
        {%- if kind.per_user %}
        count({{ 'user_id' if plan.batched else '*' }}) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(sum(case when {{ sqlrec.is_short(plan) }} then 1 else 0 end) as bigint) as short_lists,
        cast({{ 'sum(tied)' if plan.order == 'score' else 0 }} as bigint) as ties_at_cutoff
        {%- for metric in kind.metrics %},
        {{ sqlrec.null_if_any_null(plan, metric, sqlrec.summary(metric) | trim | indent(8)) }} as mean_{{ metric.column }},
        count({{ metric.column }}) as users_{{ metric.column }}
        {{- ',\n        ' ~ sqlrec.standard_error(metric) | trim | indent(8) ~ ' as error_' ~ metric.column if plan.errors }}
        {%- for name, share in plan.summaries or [] %},
        {{ sqlrec.summary_of_values(plan, metric.column, name, share) }} as summary_{{ loop.index }}_{{ metric.column }}
        {%- endfor %}
        {%- endfor %}
    from {{ sqlrec.values_of_batch(plan, kind) if plan.batched and plan.by and kind.truth else kind.name ~ '_values' }}
    {{ sqlrec.by_groups(plan, plan.groups) }}
    {%- else %}
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff
        {%- for metric in kind.metrics %},
        {{ metric.column }} as mean_{{ metric.column }},
        cast(case when {{ metric.column }} is null then 0 else users_evaluated end as bigint) as users_{{ metric.column }}
        {{- ', ' ~ (metric.column ~ '_error' if 'error' in metric.parts else 'cast(null as double)') ~ ' as error_' ~ metric.column if plan.errors }}
        {%- endfor %}
        {{- ', ' ~ sqlrec.weight_columns(plan) | join(', ') if kind.weighed and sqlrec.weight_columns(plan) }}
    from {{ kind.name }}_values
    {%- endif %}
),
{% endmacro %}

-- The values of a batch of users. If a batch contains lists or truth users for a group, but no user in the group's
-- mean, the group has a row without user.
{% macro values_of_batch(plan, kind) -%}
(
        from {{ kind.name }}_values
        union all by name
        select {{ plan.groups | join(', ') }} from unjudged{{ ' where grouping_number = 0' if plan.groupings }}
        {%- if sqlrec.needs_list(plan) %}
        union all by name
        select {{ plan.groups | join(', ') }} from truth_totals{{ ' cross join models' if 'model' in plan.list_keys }}{{ ' cross join cutoffs' if not plan.k }}{{ ' where grouping_number = 0' if plan.groupings }}
        {%- endif %}
    ) as of_batch
{%- endmacro %}

-- Condition: a list ends before its cutoff. Users without a list, and whole lists, are not short.
{% macro is_short(plan) -%}
list_length > 0 and list_length < {{ plan.k or 'k' }}{{ ' and ' ~ (plan.k or 'k') ~ ' < ' ~ plan.whole_list if not plan.depth }}
{%- endmacro %}

-- The columns of weights of values.
{% macro weight_columns(plan) %}
{{ return((['effective_decisions', 'largest_weight'] if plan.weighed else []) + (['deciding_users'] if plan.weighed and plan.errors else [])) }}
{% endmacro %}

-- True if repeated rows of lists are removed and counted.
{% macro counts_repeats(plan) %}{{ return(plan.recs and 'removes_repeats' in plan.properties.duplicates) }}{% endmacro %}

-- The number of broken rules in all inputs.
{% macro violation_counts(plan) %}
{% if plan.stored %}{{ return(sqlrec.read_violations(plan)) }}{% endif %}
{{ sqlrec.weighted_users(plan) if plan.user_weights }}
-- Broken rules in all inputs. If a rule is broken, no value is valid.
violation_counts as (
    select sum(violations) as violations
    from (
        {%- for rows in sqlrec.checked_rows(plan) %}
        {{ 'union all' if not loop.first }}
        select cast(violations as bigint) as violations from {{ rows }}
        {%- endfor %}
    ) as all_violations
),
{% endmacro %}

-- The rows that count broken rules.
{% macro checked_rows(plan) %}
{% set rows = [] %}
{% for name, there in [
    ('list_lengths', plan.recs), ('invalid_rows', plan.recs and plan.recs_lists.rules_of_rows),
    ('baseline_invalid_rows', plan.baseline and plan.baseline_lists.rules_of_rows),
    ('invalid_judgments', plan.kinds | selectattr('truth') | list and plan.checks_judgments_first), ('truth_users', plan.kinds | selectattr('truth') | list), ('baseline_list_lengths', plan.baseline),
    ('interactions', plan.history), ('catalog_rows', plan.catalog), ('item_attributes', plan['items']), ('decisions', plan.logs),
    ('unpriced', plan['items'] and 'price' in plan['items'].needed), ('weighted_users', plan.user_weights),
    ('weighted_totals', plan.user_weights),
] if there %}{% set _ = rows.append(name) %}{% endfor %}
{% for table in plan.segment_tables %}{% set _ = rows.append(table ~ '_segments') %}{% endfor %}
{{ return(rows) }}
{% endmacro %}

-- True if the population of the option excludes users of the truth without a list.
{% macro needs_list(plan) %}{{ return('has_list' in plan.properties.population) }}{% endmacro %}

-- The lists within the cutoff, by their users: without a relevant item, not in the truth, and in truth_totals.
{% macro unjudged(plan) %}
{% set length = sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') %}
{% set counted = 'truth_users.relevant_items > 0' if 'is_relevant' in plan.properties.population else 'truth_users.user_id is not null' %}
{% set keys = sqlrec.account_keys(plan, 'list_lengths.model', 'cutoffs.k') %}
unjudged as (
    select {{ sqlrec.columns_of_account(plan, keys) }}
        sum(case when {{ length }} > 0 and coalesce(truth_users.relevant_items, 0) = 0 then 1 else 0 end) as unjudged_lists,
        sum(case when {{ length }} > 0 and truth_users.user_id is null then 1 else 0 end) as unknown_lists,
        sum(case when {{ length }} > 0 and {{ counted }} then 1 else 0 end) as judged_lists
    from list_lengths
    cross join cutoffs
    left join truth_users on truth_users.user_id = list_lengths.user_id
    {{- sqlrec.account_joins(plan, 'list_lengths') }}
    {{ sqlrec.by_groups(plan, keys) }}
),
{% endmacro %}

-- The users of the truth who are in the population if they have a list.
{% macro truth_totals(plan) %}
{% set keys = sqlrec.account_keys(plan) %}
truth_totals as (
    select {{ sqlrec.columns_of_account(plan, keys) }}
        count({{ 'case when truth_users.relevant_items > 0 then 1 end' if 'is_relevant' in plan.properties.population else '*' }}) as users
    from truth_users
    {{- sqlrec.account_joins(plan, 'truth_users') }}
    {{ sqlrec.by_groups(plan, keys) }}
),
{% endmacro %}

-- The excluded rows of lists.
{% macro repeated_rows(plan) %}
{% set keys = sqlrec.account_keys(plan, 'distinct_items.model') %}
repeated as (
    select {{ sqlrec.columns_of_account(plan, keys) }}
        sum(distinct_items.repeats) as repeated_rows
    from distinct_items
    {{- sqlrec.account_joins(plan, 'distinct_items') }}
    {{ sqlrec.by_groups(plan, keys) }}
),
{% endmacro %}

-- Groups rows by keys. With several groupings, each grouping uses some segments. In the number of a
-- grouping, the bits of segments that the grouping does not use are 1; the last segment has the
-- lowest bit.
{% macro by_groups(plan, keys) -%}
{%- set sets = [] -%}
{%- for names in plan.groupings or [] -%}
{%- set left_out = plan.by | map(attribute='name') | reject('in', names) | list -%}
{%- set kept = [] -%}
{%- for key in keys if key.split('.')[-1] not in left_out -%}{%- set _ = kept.append(key) -%}{%- endfor -%}
{%- set _ = sets.append('(' ~ kept | join(', ') ~ ')') -%}
{%- endfor -%}
{{ 'group by grouping sets (' ~ sets | join(', ') ~ ')' if sets else 'group by ' ~ keys | join(', ') if keys }}
{%- endmacro %}

{% macro grouping_number(plan, of_table='') %}
{% if plan.groupings %}
        grouping_id(
            {%- for segment in plan.by -%}
            {{ segment.table ~ of_table if of_table }}{{ segment.name }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as grouping_number,
{%- endif %}
{% endmacro %}

-- The keys of counts of users: the model, if there are several, the segments, and the cutoff.
{% macro account_keys(plan, model=none, k=none) %}
{% set keys = [model] if model and 'model' in plan.list_keys else [] %}
{% for segment in plan.by %}{% set _ = keys.append(segment.table ~ '_segments.' ~ segment.name) %}{% endfor %}
{{ return(keys + ([k] if k and not plan.k else [])) }}
{% endmacro %}

{% macro columns_of_account(plan, keys) -%}
{% for key in keys %}{{ key }} as {{ key.split('.')[1] }}, {% endfor %}{{ sqlrec.grouping_number(plan, '_segments.') }}
{%- endmacro %}

-- The joins of users with their segments.
{% macro account_joins(plan, table) %}
    {%- for segments in plan.segment_tables %}
    left join {{ segments }}_segments on {{ segments }}_segments.user_id = {{ table }}.user_id
    {%- endfor %}
{%- endmacro %}
