-- Fuses all that is asked into one statement:
--
--   inputs -> rows -> metrics -> values of users -> means
--
-- The plan has what sqlrec/plan/plan.py lists. A metric is the macro <rows>__<metric>: one
-- aggregate over the rows of that name. For a kind of rows there are three macros:
--
--   <rows>(plan, kind, used)        the rows themselves, the last named query of which is called <rows>
--   <rows>_keys(plan, used)         the columns that are the same in all rows of a value
--   <rows>_population(plan)         who is averaged over, in a word
--
-- Where user_id is among the keys, each user has a value, and the mean over users is reported;
-- otherwise the value itself is, of all users of a segment together.
--
-- Beside <rows>__<metric> a metric may have <rows>__<metric>__summary, the expression over users that
-- stands in place of the mean, and parts that it is made of: <rows>__<metric>__weight gives the column
-- <column>_weight. With a weight and no summary the mean is weighted.
--
-- The statement is written from its end: `used` holds the names that stand in what comes later, and a query
-- or a column is there because it is named. So who was counted and which rules are broken (plan.audit) are
-- asked for as a metric asks for its columns, and without them the statement is the plain one.

{% macro evaluation(plan) %}
{% if not plan.audit and not plan.parts %}
{{ sqlrec.said_first(plan) }}
{% else %}
-- The mean over users of {{ plan.title }}.
{% endif %}
{% if plan.audit %}
-- Where the column violations is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.by_rules(plan, 'results') }}
{{ sqlrec.in_order(plan) }}
{% elif plan.parts %}
{{ sqlrec.by_rules(plan, 'means') }}
{{ sqlrec.in_order(plan) }}
{% else %}
{% set means = sqlrec.means(plan) %}
{{ sqlrec.all_values(plan, plan.kinds, means) | trim | trim(',') }}
{{ means }}
{{ sqlrec.means_in_order(plan) }}
{% endif %}
{{ sqlrec.ending() }}
{% endmacro %}

-- The same values before the mean, a row each.
{% macro user_evaluation(plan) %}
-- Each user's {{ plan.title }}.
{% if plan.audit %}
-- Where the column violations is not 0, rows break a rule, and no value is to be trusted.
{% endif %}
{{ sqlrec.by_rules(plan, 'user_results') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The rows of `results`, `means` or `user_results`, without order.
{% macro by_rules(plan, rows) %}
{{ sqlrec.rows_by_rules(plan, rows) }}
select {{ sqlrec.result_columns(plan, rows) }}
from {{ rows }}
{%- endmacro %}

-- The same as named queries, the last of which is called `rows`.
{% macro rows_by_rules(plan, rows) %}
{% if plan.parts %}
{{ sqlrec.rows_of_parts(plan, rows) }}
{%- else %}
{% set query = sqlrec[rows ~ '_query'](plan) %}
{{ sqlrec.all_values(plan, plan.kinds if rows != 'user_results' else plan.kinds | selectattr('of_users') | list, query) }}
{{ query }}
{%- endif %}
{%- endmacro %}

{% macro result_columns(plan, rows) -%}
model, {% for segment in plan.by %}{{ segment.label }}, {% endfor %}
{%- if rows == 'user_results' -%}
user_id, metric, k, asked, value{{ ', added_part, added_whole' if plan.terms }}{{ ', violations' if plan.audit }}
{%- elif rows == 'means' -%}
metric, k, value, users{{ ', standard_error' if plan.errors }}
{%- else -%}
metric, k, asked, value, users, {{ 'standard_error, ' if plan.errors }}population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, {% for column in sqlrec.weight_columns(plan) %}{{ column }}, {% endfor %}violations
{%- endif %}
{%- endmacro %}

-- What stands beside values that are made of weights.
{% macro weight_columns(plan) %}
{{ return((['effective_decisions', 'largest_weight'] if plan.weighed else []) + (['deciding_users'] if plan.weighed and plan.errors else [])) }}
{% endmacro %}

-- The means of the plain form, as a named query.
{% macro means_query(plan) %}
means as (
    {{ sqlrec.means(plan, true) | trim | indent(4) }}
)
{%- endmacro %}

-- The mean over users, and who was counted.
{% macro results_query(plan) %}
{% set several = 'model' in plan.list_keys %}
{%- for kind in plan.kinds %}
{{ sqlrec.counted_means(plan, kind) }}
{%- endfor %}
{%- if plan.kinds | selectattr('truth') | list %}
{{ sqlrec.unjudged(plan) }}
{%- endif %}
{%- if sqlrec.counts_repeats(plan) and plan.by %}
{{ sqlrec.repeated_in_segments(plan) }}
{%- endif %}
{{ sqlrec.violation_counts(plan) }}
{%- for kind in plan.kinds %}
{{ sqlrec.asked(plan, kind) }},
{%- endfor %}
results as (
    {%- for kind in plan.kinds %}
    {{ 'union all' if not loop.first }}
    {%- set means = kind.name ~ '_means' %}
    {%- set asked = kind.name ~ '_asked' %}
    {%- set repeated = 'repeated_in_segments' if plan.by else 'repeated' %}
    select
        {{ 'models.model' if several else "'recs'" }} as model,
        {%- for segment in plan.by %}
        {{ means }}.{{ segment.name }} as {{ segment.label }},
        {%- endfor %}
        {{ asked }}.metric as metric,
        nullif({{ asked }}.k, {{ plan.whole_list }}) as k,
        {{ asked }}.asked as asked,
        {{ sqlrec.asked_value(kind, means ~ '.mean_') }} as value,
        coalesce({{ sqlrec.asked_value(kind, means ~ '.users_') }}, 0) as users,
        {%- if plan.errors %}
        {{ sqlrec.asked_value(kind, means ~ '.error_') }} as standard_error,
        {%- endif %}
        '{{ sqlrec[kind.name ~ '_population'](plan) }}' as population,
        coalesce({{ means }}.users_evaluated, 0) as users_evaluated,
        {%- for column in ['users_without_list', 'short_lists', 'ties_at_cutoff'] %}
        coalesce({{ means }}.{{ column }}, 0) as {{ column }},
        {%- endfor %}
        cast({{ 'coalesce(unjudged.unjudged_lists, 0)' if kind.truth else 'null' }} as bigint) as unjudged_lists,
        cast({{ 'coalesce(' ~ repeated ~ '.repeated_rows, 0)' if sqlrec.counts_repeats(plan) else 0 }} as bigint) as repeated_rows,
        {%- for column in sqlrec.weight_columns(plan) %}
        {{ means ~ '.' ~ column if kind.weighed else sqlrec.double('null') }} as {{ column }},
        {%- endfor %}
        cast(violation_counts.violations as bigint) as violations
    from {{ asked }}
    {{ 'cross join models' if several }}
    left join {{ means }} on {{ sqlrec.same_group(plan, means, asked) }}
    {%- if kind.truth %}
    left join unjudged on {{ sqlrec.of_account(plan, 'unjudged', means, asked) }}
    {%- endif %}
    {%- if sqlrec.counts_repeats(plan) %}
    left join {{ repeated }} on {{ sqlrec.of_account(plan, repeated, means, asked, false) }}
    {%- endif %}
    cross join violation_counts
    {%- endfor %}
)
{%- endmacro %}

-- Rows of a model and cutoff are those of a metric that is asked: a condition.
{% macro same_group(plan, table, asked, by_cutoff=true) -%}
{{ (([table ~ '.k = ' ~ asked ~ '.k'] if by_cutoff and not plan.k else []) + ([table ~ '.model = models.model'] if 'model' in plan.list_keys else [])) | join(' and ') or '1 = 1' }}
{%- endmacro %}

{% macro user_results_query(plan) %}
{% set kinds = plan.kinds | selectattr('of_users') | list %}
{% if plan.audit %}
{{ sqlrec.violation_counts(plan) }}
{% endif %}
{%- for kind in kinds %}
{{ sqlrec.asked(plan, kind) }},
{%- endfor %}
user_results as (
    {%- for kind in kinds %}
    {{ 'union all' if not loop.first }}
    {%- set values = kind.name ~ '_values' %}
    {%- set asked = kind.name ~ '_asked' %}
    select
        {{ values ~ '.model' if 'model' in plan.list_keys else "'recs'" }} as model,
        {%- for segment in plan.by %}
        {{ values }}.{{ segment.name }} as {{ segment.label }},
        {%- endfor %}
        {{ values }}.user_id as user_id,
        {{ asked }}.metric as metric,
        nullif({{ asked }}.k, {{ plan.whole_list }}) as k,
        {{ asked }}.asked as asked,
        {{ sqlrec.asked_value(kind, values ~ '.') }} as value
        {%- for term in ['added_part', 'added_whole'] if plan.terms %},
        {{ sqlrec.asked_term(kind, values ~ '.', term) }} as {{ term }}
        {%- endfor %}
        {%- if plan.audit %},
        cast(violation_counts.violations as bigint) as violations
        {%- endif %}
    from {{ values }}
    {{ 'cross join ' ~ asked if plan.k else 'join ' ~ asked ~ ' on ' ~ asked ~ '.k = ' ~ values ~ '.k' }}
    {{ 'cross join violation_counts' if plan.audit }}
    {%- endfor %}
)
{%- endmacro %}

-- The values of kinds, after the rows that they and the queries after them read.
{% macro all_values(plan, kinds, after) %}
{% set queries = [] %}
{% for kind in kinds %}
{% set _ = queries.append(sqlrec.kind_values(plan, kind)) %}
{% endfor %}
{% set values = queries | join('\n') %}
with
{{ sqlrec.shared_rows(plan, sqlrec.identifiers(values ~ after)) }}
{{ values }}
{%- endmacro %}

-- For each kind one row per model, user and cutoff, or per model, segment and cutoff: a column for
-- each metric and its parts.
{% macro kind_values(plan, kind) %}
{% set columns = sqlrec.metric_columns(plan, kind) %}
{% set filled = sqlrec.filled_metrics(kind) %}
{% set used = sqlrec.identifiers(columns.values() | join(' ')) + (['list_length'] if filled else []) %}
{% set keys = sqlrec[kind.name ~ '_keys'](plan, used) %}
{% set rows = sqlrec[kind.name](plan, kind, (used + keys) | unique | list) %}
{{ sqlrec.check_metric_columns(kind, columns, sqlrec.identifiers(rows.split('\n' ~ kind.name ~ ' as (')[-1]) + keys) }}
{{ rows }}
{{ kind.name }}_{{ 'known' if filled else 'values' }} as (
    select
        {%- if keys %} {{ sqlrec.wrapped(keys) }},{% endif %}
        {%- set sources = sqlrec.sources(kind) if not plan.audit else {} %}
        {%- for name, expression in columns.items() %}
        {{ expression }} as {{ name }}{{ ',' if not loop.last }}{{ '  -- ' ~ sources[name] if sources.get(name) }}
        {%- endfor %}
    from {{ kind.name }}
    {{ 'group by ' ~ sqlrec.wrapped(keys) if keys }}
),
{{ sqlrec.filled_values(plan, kind, columns | list, filled) if filled }}
{%- endmacro %}

-- Refuses a metric that names a column which its rows do not have. A metric's parts follow its value.
{% macro check_metric_columns(kind, columns, known) %}
{% set file = namespace(name='') %}
{% for column, expression in columns.items() %}
{% for metric in kind.metrics if metric.column == column %}{% set file.name = metric.macro.split('__')[1] %}{% endfor %}
{% for name in sqlrec.columns_in(expression) if name not in known %}
{{ sqlrec.refuse('metrics/' ~ file.name ~ ".sql: rows/" ~ kind.name ~ ".sql has no column '" ~ name ~ "': name one that its header lists") }}
{% endfor %}
{% endfor %}
{% endmacro %}

-- Where the metrics of a kind come from, by column.
{% macro sources(kind) %}
{% set sources = {} %}
{% for metric in kind.metrics %}{% set _ = sources.update({metric.column: metric.source}) %}{% endfor %}
{{ return(sources) }}
{% endmacro %}

-- The columns of metrics whose mean counts users without a list too.
{% macro filled_metrics(kind) %}
{% set names = [] %}
{% for metric in kind.metrics if 'absent' in metric.parts and sqlrec.part(metric, 'absent') %}{% set _ = names.append(metric.column) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The values of a kind, with those of users without a list where the mean counts them. Such a metric
-- has two parts: <rows>__<metric>__members names the column of its rows, and the query, that has who
-- counts; <rows>__<metric>__absent is what one without a list counts, where another has one.
{% macro filled_values(plan, kind, columns, filled) %}
{% set several = 'model' in plan.list_keys %}
{% set groups = sqlrec.partitioned(sqlrec.groups(plan)) %}
{% set lists = sqlrec.user_groups(plan, ['list_length']) %}
{% set counted = kind.metrics | selectattr('column', 'in', filled) | list %}
{{ kind.name }}_absent as (
    select
        {{ 'models.model as model,' if several }}
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        {%- for metric in counted %}
        case when {{ metric.column }}_users.members > 0 then {{ sqlrec.part(metric, 'absent') }} end as {{ metric.column }},
        {%- endfor %}
        {{ 'cutoffs.k as k,' if not plan.k }}
        absent_users.user_id as user_id
    from (
        select user_id
        from (
            {%- for metric in counted %}
            {{ 'union all' if not loop.first }}
            select user_id from {{ sqlrec.part(metric, 'members') }}
            {%- endfor %}
        ) as counted_users
        group by user_id
    ) as absent_users
    {{ 'cross join cutoffs' if not plan.k }}
    {{ 'cross join models' if several }}
    left join list_lengths on list_lengths.user_id = absent_users.user_id{{ ' and list_lengths.model = models.model' if several }}
    {%- for metric in counted %}
    left join {{ sqlrec.part(metric, 'members') }} as {{ metric.column }}_users on {{ metric.column }}_users.user_id = absent_users.user_id
    {%- endfor %}
    {{- sqlrec.account_joins(plan, 'absent_users') }}
    where coalesce({{ sqlrec.at_cutoff(plan, 'places', 'list_lengths') }}, 0) = 0 {{ sqlrec.where_asked(plan, kind, 'cutoffs', 'and') }}
),
{{ kind.name }}_values as (
    select {{ sqlrec.names(lists + columns) }}
    from (
        select
            {{ lists | join(', ') }},
            {%- for column in columns %}
            {{ 'case when max(' ~ column ~ '_members) over (' ~ groups ~ ') > 0 then ' ~ column ~ ' end as ' if column in filled }}{{ column }},
            {%- endfor %}
            max(list_length) over ({{ groups }}) as longest_list
        from (
            select {{ sqlrec.names(lists + columns) }} from {{ kind.name }}_known
            union all
            select
                {%- for name in lists %}
                {{ '0 as ' if name in ['list_length', 'tied'] }}{{ name }}{{ ',' if not loop.last }}
                {%- endfor %}
                {%- for column in columns %},
                {{ sqlrec.double('null') ~ ' as ' if column not in filled }}{{ column }}
                {%- endfor %}
            from {{ kind.name }}_absent
        ) as all_users
    ) as beside_lists
    where longest_list > 0
),
{%- endmacro %}

-- The rows that several kinds read, as far as they are named: the last of them first, for each may name others.
{% macro shared_rows(plan, names) %}
{% set used = names | list %}
{% set queries = [] %}
{% for rows in ['rated_items', 'evaluated', 'repeated_pairs', 'shown_lists', 'decisions', 'models', 'cutoffs'] if rows in used %}
{% set query = sqlrec[rows](plan, used) %}
{% set _ = used.extend(sqlrec.identifiers(query)) %}
{% set _ = queries.insert(0, query) %}
{% endfor %}
{% set inputs = [sqlrec.segments(plan, used), sqlrec.item_features(plan, used), sqlrec.catalog(plan, used), sqlrec.history(plan, used), sqlrec.baseline(plan, used)] %}
{% for query in inputs %}{% set _ = queries.insert(0, query) %}{% endfor %}
{% for rows in ['truth_users', 'list_lengths'] if rows in used %}
{% set query = sqlrec.truth_users(plan, rows, used) if rows == 'truth_users' else sqlrec.list_lengths(plan, used) %}
{% set _ = used.extend(sqlrec.identifiers(query)) %}
{% set _ = queries.insert(0, query) %}
{% endfor %}
{#- Where the truth has its say in the order of a list, it comes first. -#}
{% set by_relevance = plan.ties in ['best', 'worst'] and plan.truth and plan.recs %}
{% if by_relevance %}{% set _ = used.extend(['relevant', 'relevance', 'is_relevant']) %}{% endif %}
{% set listed = sqlrec.listed(plan, used) if plan.recs and 'listed' in used else '' %}
{% set first_judgments = '' %}
{% if sqlrec.relevant_once(plan) != 'relevant' and 'relevant' in used or by_relevance and plan.truth_duplicates == 'error' %}
{% set first_judgments = sqlrec.first_judgments(plan, used) %}
{% set _ = used.extend(sqlrec.identifiers(first_judgments)) %}
{% endif %}
{% set relevant = sqlrec.relevant(plan, used) if 'relevant' in used else '' %}
{% for query in ([listed, first_judgments, relevant] if by_relevance else [first_judgments, relevant, listed]) if query %}{% set _ = queries.insert(0, query) %}{% endfor %}
{{ queries | join('\n') }}
{% endmacro %}

-- The columns of values: each metric, its parts, and what its weights are worth.
{% macro metric_columns(plan, kind) %}
{% set columns = {} %}
{% for metric in kind.metrics %}
{% set _ = columns.update({metric.column: sqlrec.at_k(plan, sqlrec.defined(plan, sqlrec[metric.macro](**metric.params) | trim | indent(8)))}) %}
{% for part in metric.parts if part not in ['summary', 'absent'] and (part != 'error' or plan.errors) and (part not in ['part', 'whole'] or plan.terms) and sqlrec.part(metric, part) %}
{% set _ = columns.update({metric.column ~ '_' ~ part: sqlrec.at_k(plan, sqlrec.part(metric, part) | indent(8))}) %}
{% endfor %}
{% endfor %}
{% if kind.weighed and plan.audit %}
{% set _ = columns.update({'effective_decisions': sqlrec.effective_decisions(), 'largest_weight': 'max(weight)'}) %}
{% if plan.errors %}{% set _ = columns.update({'deciding_users': 'sum(1 / user_decisions)'}) %}{% endif %}
{% endif %}
{{ return(columns) }}
{% endmacro %}

-- An expression in which the one cutoff that is asked is a number. Text constants stay as they are: what
-- stands outside of them has an even number of apostrophes behind it.
{% macro at_k(plan, expression) %}
{{ return(modules.re.sub("\\bk\\b(?=[^']*(?:'[^']*'[^']*)*$)", plan.k | string, expression) if plan.k else expression) }}
{% endmacro %}

-- A value, or what counts where it is not defined.
{% macro defined(plan, value) -%}
{%- if plan.without_list == 'undefined' -%}
{%- set value = 'case when list_length > 0 then ' ~ value ~ ' end' -%}
{%- endif -%}
{%- if plan.undefined in ['zero', 'one'] -%}
coalesce({{ value }}, {{ 1 if plan.undefined == 'one' else 0 }})
{%- else -%}
{{ value }}
{%- endif -%}
{%- endmacro %}

-- A part of a metric: empty where its parameters do without.
{% macro part(metric, part) -%}
{{ sqlrec[metric.macro ~ '__' ~ part](**metric.params) | trim }}
{%- endmacro %}

-- The mean over users, by model, segment and cutoff; and who was counted.
{% macro counted_means(plan, kind) %}
{% set groups = sqlrec.groups(plan) %}
{{ kind.name }}_means as (
    select
        {%- for group in groups %}
        {{ group }},
        {%- endfor %}
        {%- if kind.of_users %}
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(sum(case when {{ sqlrec.is_short(plan) }} then 1 else 0 end) as bigint) as short_lists,
        cast({{ 'sum(tied)' if plan.order == 'score' else 0 }} as bigint) as ties_at_cutoff
        {%- for metric in kind.metrics %},
        {{ sqlrec.known_of_all(plan, metric, sqlrec.summary(metric) | trim | indent(8)) }} as mean_{{ metric.column }},
        count({{ metric.column }}) as users_{{ metric.column }}
        {%- if plan.errors %},
        {{ sqlrec.standard_error(metric) | trim | indent(8) }} as error_{{ metric.column }}
        {%- endif %}
        {%- endfor %}
    from {{ kind.name }}_values
    {{ 'group by ' ~ groups | join(', ') if groups }}
    {%- else %}
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff
        {%- for metric in kind.metrics %},
        {{ metric.column }} as mean_{{ metric.column }},
        cast(case when {{ metric.column }} is null then 0 else users_evaluated end as bigint) as users_{{ metric.column }}
        {%- if plan.errors %},
        {{ metric.column ~ '_error' if 'error' in metric.parts else sqlrec.double('null') }} as error_{{ metric.column }}
        {%- endif %}
        {%- endfor %}
        {%- for column in sqlrec.weight_columns(plan) if kind.weighed %},
        {{ column }}
        {%- endfor %}
    from {{ kind.name }}_values
    {%- endif %}
),
{% endmacro %}

-- What is reported of the values of users: an expression over their rows.
{% macro summary(metric) -%}
{%- if 'summary' in metric.parts -%}
{{ sqlrec[metric.macro ~ '__summary'](metric.column, **metric.params) }}
{%- elif 'weight' in metric.parts and sqlrec.part(metric, 'weight') -%}
{{ sqlrec.weighted_mean(metric.column) }}
{%- else -%}
{{ sqlrec.mean(metric.column) }}
{%- endif -%}
{%- endmacro %}

-- What is reported of the values of users: the plain mean, the weighted one, a function of sums (root, geometric,
-- pooled, f, sum), or another summary, for which there is no word. Of logged decisions it is the ratio of two
-- sums where the metric has <rows>__<metric>__part and <rows>__<metric>__whole.
{% macro which_mean(metric) -%}
{%- set summary = sqlrec.summary(metric) | trim -%}
{%- set column = metric.column -%}
{%- if 'part' in metric.parts and sqlrec.part(metric, 'part') -%}ratio
{%- elif summary == sqlrec.mean(column) | trim -%}plain
{%- elif summary == sqlrec.weighted_mean(column) | trim -%}weighted
{%- elif summary == sqlrec.weighted_root(column) | trim -%}root
{%- elif summary == sqlrec.geometric_mean(column) | trim -%}geometric
{%- elif summary == sqlrec.pooled_share(column ~ '_concordant', column ~ '_discordant') | trim -%}pooled
{%- elif summary == sqlrec.f_of_means(column, metric.params.get('beta', 1)) | trim -%}f
{%- elif summary == 'sum(' ~ column ~ ')' -%}sum
{%- endif -%}
{%- endmacro %}

-- The metrics that are the mean of the values of users: a label a line.
{% macro plain_means(plan) %}
{% for kind in plan.kinds if kind.of_users %}
{% for metric in kind.metrics if sqlrec.which_mean(metric) == 'plain' %}
{{ metric.label }}
{% endfor %}
{% endfor %}
{% endmacro %}

-- The standard error of what is reported, as users are drawn at random: of a mean from the deviation of
-- the values; of a weighted mean, a ratio of two sums, from that of what users add to it, on a line. Null
-- for other summaries, and for one user.
{% macro standard_error(metric) -%}
{%- set value = metric.column -%}
{%- set mean = sqlrec.which_mean(metric) -%}
{%- if mean == 'plain' -%}
{{ sqlrec.error_of_mean(value) }}
{%- elif mean == 'weighted' -%}
{%- set weight = 'case when ' ~ value ~ ' is null then ' ~ sqlrec.double(0) ~ ' else ' ~ value ~ '_weight end' -%}
{{ sqlrec.error_of_ratio(value ~ ' * ' ~ value ~ '_weight', weight) }}
{%- else -%}
{{ sqlrec.double('null') }}
{%- endif -%}
{%- endmacro %}

{% macro error_of_mean(value) -%}
sqrt({{ sqlrec.variance(value) }} / nullif(count({{ value }}), 0))
{%- endmacro %}

-- The standard error of sum(part) / sum(whole), linearised (Cochran 1977, Sampling Techniques, 6.19).
{% macro error_of_ratio(part, whole) -%}
{%- set ratio = '(sum(' ~ part ~ ') / nullif(sum(' ~ whole ~ '), 0))' -%}
sqrt(
    abs(
        sum(({{ part }}) * ({{ part }}))
        - 2 * {{ ratio }} * sum(({{ part }}) * ({{ whole }}))
        + {{ ratio }} * {{ ratio }} * sum(({{ whole }}) * ({{ whole }}))
    )
    * count({{ part }}) / nullif(count({{ part }}) - 1, 0)
) / nullif(abs(sum({{ whole }})), 0)
{%- endmacro %}

-- The same of decisions, of which those of a user go together: part and whole are those of a decision,
-- and user_part and user_whole their sums over the user's, so that a sum over decisions of products is
-- one of squares over users. Next to nothing, beside what it is made of, is nothing.
{% macro error_of_users(part, user_part, whole, user_whole) -%}
{%- set ratio = '(sum(' ~ part ~ ') / nullif(sum(' ~ whole ~ '), 0))' -%}
{%- set squares -%}
sum(({{ part }}) * {{ user_part }})
        - 2 * {{ ratio }} * sum(({{ part }}) * {{ user_whole }})
        + {{ ratio }} * {{ ratio }} * sum(({{ whole }}) * {{ user_whole }})
{%- endset -%}
sqrt(
    case when {{ squares }} > {{ sqlrec.double(1e-13) }} * sum(({{ part }}) * {{ user_part }}) then {{ squares }} else {{ sqlrec.double(0) }} end
    * sum(1 / user_decisions) / nullif(case when sum(1 / user_decisions) > {{ sqlrec.double(1.5) }} then sum(1 / user_decisions) - 1 end, 0)
) / nullif(abs(sum({{ whole }})), 0)
{%- endmacro %}

-- A summary, or nothing where some user has no value and that is to spread.
{% macro known_of_all(plan, metric, summary) -%}
{{ 'case when count(' ~ metric.column ~ ') = count(*) then ' ~ summary ~ ' end' if plan.undefined == 'propagate' else summary }}
{%- endmacro %}

-- The mean of a column by the weights beside it. Who has no value has no weight.
{% macro weighted_mean(column) -%}
sum({{ column }} * {{ column }}_weight)
/ nullif(sum(case when {{ column }} is null then {{ sqlrec.double(0) }} else {{ column }}_weight end), 0)
{%- endmacro %}

-- The root of the mean of the squares of a column by the weights beside it.
{% macro weighted_root(column) -%}
sqrt(sum({{ column }} * {{ column }} * {{ column }}_weight) / nullif(sum({{ column }}_weight), 0))
{%- endmacro %}

-- The geometric mean of a column, none of whose values counts as less than 0.00001.
{% macro geometric_mean(column) -%}
exp({{ sqlrec.mean(sqlrec.ln(sqlrec.floored(column))) }})
{%- endmacro %}

{% macro floored(value) -%}
{%- set floor = sqlrec.double(0.00001) -%}
case when {{ value }} > {{ floor }} then {{ value }} when {{ value }} >= 0 then {{ floor }} end
{%- endmacro %}

-- What one column has of the sum of two.
{% macro pooled_share(part, rest) -%}
sum({{ part }}) / nullif(sum({{ part }} + {{ rest }}), 0)
{%- endmacro %}

-- The F-beta of the mean of one part and the mean of another; 0 where both are.
{% macro f_of_means(column, beta) -%}
{%- set precision, recall = sqlrec.mean(column ~ '_precision'), sqlrec.mean(column ~ '_recall') -%}
coalesce(
    {{ sqlrec.double(1 + beta * beta) }} * {{ precision }} * {{ recall }}
    / nullif({{ sqlrec.double(beta * beta) }} * {{ precision }} + {{ recall }}, 0),
    {{ recall }}
)
{%- endmacro %}

-- Whether rows that lists have more than once are left out, and counted.
{% macro counts_repeats(plan) %}{{ return(plan.recs and plan.duplicates in ['best', 'first', 'last']) }}{% endmacro %}

-- How often a rule is broken, in all inputs.
{% macro violation_counts(plan) %}
-- Broken rules, in all inputs: where there are some, no value can be trusted.
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
{% set rows = (['list_lengths'] if plan.recs else []) + (['truth_users'] if plan.kinds | selectattr('truth') | list else []) %}
{% for input, name in [('baseline', 'baseline_list_lengths'), ('history', 'interactions'), ('catalog', 'catalog_rows'), ('items', 'item_attributes'), ('logs', 'decisions')] if plan[input] %}
{% set _ = rows.append(name) %}
{% endfor %}
{% for table in sqlrec.segment_tables(plan) %}{% set _ = rows.append(table ~ '_segments') %}{% endfor %}
{{ return(rows) }}
{% endmacro %}

-- Each metric asked with each of its cutoffs, and as it was written: columns become rows by a join, so
-- that engines which compute a named query once for each mention compute it once.
{% macro asked(plan, kind) %}
{{ kind.name }}_asked as (
    {%- for metric in kind.metrics %}
    {%- set metric_number = loop.index %}
    {%- set last_metric = loop.last %}
    {%- for k in metric.cutoffs %}
    select '{{ metric.label }}' as metric, '{{ metric.texts[loop.index0] }}' as asked, {{ metric_number }} as number, cast({{ k }} as bigint) as k{{ ' union all' if not (last_metric and loop.last) }}
    {%- endfor %}
    {%- endfor %}
)
{%- endmacro %}

-- The value of the metric asked, of columns named alike.
{% macro asked_value(kind, column) -%}
{%- if kind.metrics | length == 1 -%}
{{ column }}{{ kind.metrics[0].column }}
{%- else -%}
case {{ kind.name }}_asked.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ column }}{{ metric.column }}
            {%- endfor %}
        end
{%- endif -%}
{%- endmacro %}

{% macro in_order(plan) -%}
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}metric asc, k asc
{%- endmacro %}

-- What values of all users together are grouped by.
{% macro groups(plan) %}
{{ return(sqlrec.with_cutoff(plan, (['model'] if 'model' in plan.list_keys else []) + plan.by | map(attribute='name') | list)) }}
{% endmacro %}

-- What values of users are grouped by.
{% macro user_groups(plan, used) %}
{% set counted = ['list_length'] + (['tied'] if plan.order == 'score' else []) %}
{{ return(
    sqlrec.with_cutoff(plan, plan.list_keys + plan.by | map(attribute='name') | list)
    + (counted if plan.audit else counted | select('in', used) | list)
) }}
{% endmacro %}

-- What values of all users together are grouped by, with who was counted.
{% macro whole_groups(plan, used) %}
{{ return(sqlrec.groups(plan) + sqlrec.accounts(plan, used)) }}
{% endmacro %}
{% macro accounts(plan, used) %}
{% set counted = ['users_evaluated', 'short_lists', 'ties_at_cutoff'] %}
{{ return(counted if plan.audit else counted | select('in', used) | list) }}
{% endmacro %}

-- A list ends before its cutoff: a condition. Whole lists are never short.
{% macro is_short(plan) -%}
list_length < {{ plan.k or 'k' }}{{ ' and ' ~ (plan.k or 'k') ~ ' < ' ~ plan.whole_list if not plan.depth }}
{%- endmacro %}
