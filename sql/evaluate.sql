-- Fuses all that is asked into one statement:
--
--   inputs -> rows -> metrics -> values of users -> means
--
-- The plan is a dict whose entries sqlrec/plan.py lists. A metric is the macro <rows>__<metric>: one
-- aggregate over the rows of that name. Rows make those columns that some metric names. For a kind of
-- rows there are three macros:
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

{% macro evaluation(plan) %}
-- The mean over users of {{ plan.title }}.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.by_rules(plan, 'results') }}
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The same values before the mean, a row each.
{% macro user_evaluation(plan) %}
-- Each user's {{ plan.title }}.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.by_rules(plan, 'user_results') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The rows of `results` or `user_results`, without order. Metrics under the same rules are one query;
-- where there are several sets of rules, each is a query of its own over lists that are ranked once for
-- all that rank them alike. A set whose values are all of all users together has none of users.
{% macro by_rules(plan, rows) %}
{{ sqlrec.rows_by_rules(plan, rows) }}
select
    {{ sqlrec[rows ~ '_columns'](plan) }}
from {{ rows }}
{%- endmacro %}

-- The same as named queries, the last of which is called `rows`.
{% macro rows_by_rules(plan, rows) %}
{% if not plan.parts %}
{{ sqlrec[rows](plan) }}
{%- else %}
with
{%- for lists in plan.part_lists %}
{{ sqlrec.ranked_lists(lists, lists.lists ~ '_', lists.recs, lists['keys'], lists.order, lists.check_order, lists.scored) }}
{%- endfor %}
{%- for part in plan.parts if rows == 'results' or part.kinds | selectattr('of_users') | list %}
-- {{ part.title }}: {{ part.words }}.
{{ part.name }} as (
    {{ sqlrec.by_rules(part, rows) | indent(4) }}
),
{%- endfor %}
{{ rows }} as (
    {%- for part in plan.parts if rows == 'results' or part.kinds | selectattr('of_users') | list %}
    {{ 'union all' if not loop.first }}
    select
        {{ sqlrec[rows ~ '_columns'](plan) | indent(4) }}
    from {{ part.name }}
    {%- endfor %}
)
{%- endif %}
{%- endmacro %}

-- The mean over users, and who was counted.
{% macro results(plan) %}
{{ sqlrec.all_values(plan) }}
{%- for kind in plan.kinds %}
{{ sqlrec.means(plan, kind) }}
{%- endfor %}
{%- if plan.kinds | selectattr('truth') | list %}
{{ sqlrec.unjudged(plan) }}
{%- endif %}
{%- if sqlrec.counts_repeats(plan) and plan.by %}
{{ sqlrec.repeated_in_segments(plan) }}
{%- endif %}
{{ sqlrec.faulty(plan) }}
{%- for kind in plan.kinds %}
{{ sqlrec.asked(plan, kind) }},
{{ sqlrec.report(plan, kind) }}
{%- endfor %}
results as (
    {%- for kind in plan.kinds %}
    {{ 'union all' if not loop.first }}
    {%- set report = kind.name ~ '_report' %}
    {%- set asked = kind.name ~ '_asked' %}
    select
        {{ sqlrec.named_keys(plan, report) }},
        {{ asked }}.metric as metric,
        {{ sqlrec.named_cutoff(plan, report) }},
        {{ asked }}.asked as asked,
        {{ sqlrec.asked_value(kind, report ~ '.mean_') }} as value,
        {{ sqlrec.asked_value(kind, report ~ '.users_') }} as users,
        {%- if plan.errors %}
        {{ sqlrec.asked_value(kind, report ~ '.error_') }} as standard_error,
        {%- endif %}
        '{{ sqlrec[kind.name ~ '_population'](plan) }}' as population,
        {{ sqlrec.taken(['users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows'], report) }},
        {%- for column in sqlrec.weight_columns(plan).split() %}
        {{ report ~ '.' ~ column if kind.weighed else sqlrec.double('null') }} as {{ column }},
        {%- endfor %}
        {{ report }}.faults as faults
    from {{ report }}
    join {{ asked }} on {{ asked }}.k = {{ report }}.k
    {%- endfor %}
)
{%- endmacro %}

{% macro results_columns(plan) -%}
model,
    {%- for segment in plan.by %}
    {{ segment.label }},
    {%- endfor %}
    metric, k, asked, value, users, {{ 'standard_error, ' if plan.errors }}population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, {% for column in sqlrec.weight_columns(plan).split() %}{{ column }}, {% endfor %}faults
{%- endmacro %}

-- What stands beside values that are made of weights.
{% macro weight_columns(plan) -%}
{{ 'effective_decisions largest_weight' if plan.weighed }}{{ ' deciding_users' if plan.weighed and plan.errors }}
{%- endmacro %}

{% macro user_results(plan) %}
{{ sqlrec.all_values(plan) }}
{{ sqlrec.faulty(plan) }}
{%- for kind in plan.kinds if kind.of_users %}
{{ sqlrec.asked(plan, kind) }},
{%- endfor %}
user_results as (
    {%- for kind in plan.kinds if kind.of_users %}
    {{ 'union all' if not loop.first }}
    {%- set values = kind.name ~ '_values' %}
    {%- set asked = kind.name ~ '_asked' %}
    select
        {{ sqlrec.named_keys(plan, values) }},
        {{ values }}.user_id as user_id,
        {{ asked }}.metric as metric,
        {{ sqlrec.named_cutoff(plan, values) }},
        {{ asked }}.asked as asked,
        {{ sqlrec.asked_value(kind, values ~ '.') }} as value,
        cast(faulty.faults as bigint) as faults
    from {{ values }}
    join {{ asked }} on {{ asked }}.k = {{ values }}.k
    cross join faulty
    {%- endfor %}
)
{%- endmacro %}

{% macro user_results_columns(plan) -%}
model, {% for segment in plan.by %}{{ segment.label }}, {% endfor %}user_id, metric, k, asked, value, faults
{%- endmacro %}

-- The values of all kinds, after the rows that several kinds read.
{% macro all_values(plan) %}
{% set kinds %}
{%- for kind in plan.kinds %}
{{ sqlrec.kind_values(plan, kind) }}
{%- endfor %}
{% endset %}
with
{{ sqlrec.shared_rows(plan, kinds) }}
{{ kinds }}
{%- endmacro %}

-- For each kind one row per model, user and cutoff, or per model, segment and cutoff: a column for
-- each metric and its parts.
{% macro kind_values(plan, kind) %}
{% set used = sqlrec.metric_columns(plan, kind) %}
{% set keys = sqlrec[kind.name ~ '_keys'](plan, used).split() %}
{% set filled = sqlrec.filled_metrics(kind).split() %}
{{ sqlrec[kind.name](plan, kind, used) }}
{{ kind.name }}_{{ 'known' if filled else 'values' }} as (
    select
        {{ keys | join(',\n        ') }},
        {{ used | trim }}
        {%- if kind.weighed %},
        {{ sqlrec.effective_decisions() }} as effective_decisions,
        max(weight) as largest_weight
        {%- if plan.errors %},
        sum(1 / user_decisions) as deciding_users
        {%- endif %}
        {%- endif %}
    from {{ kind.name }}
    group by {{ keys | join(', ') }}
),
{{ sqlrec.filled_values(plan, kind, filled) if filled }}
{%- endmacro %}

-- The columns of metrics whose mean counts users without a list too.
{% macro filled_metrics(kind) -%}
{%- for metric in kind.metrics if 'absent' in metric.parts and sqlrec.part(metric, 'absent') %}{{ metric.column }} {% endfor -%}
{%- endmacro %}

-- The values of a kind, with those of users without a list where the mean counts them. Such a metric
-- has two parts: <rows>__<metric>__members names the column of its rows, and the query, that has who
-- counts; <rows>__<metric>__absent is what one without a list counts, where another has one.
{% macro filled_values(plan, kind, filled) %}
{% set groups = sqlrec.groups(plan).split() %}
{% set lists = sqlrec.user_groups(plan).split() %}
{% set columns = sqlrec.value_columns(plan, kind).split() %}
{% set counted = kind.metrics | selectattr('column', 'in', filled) | list %}
{{ kind.name }}_absent as (
    select
        {{ 'models.model as model,' if 'model' in plan['keys'] }}
        absent_users.user_id as user_id,
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        {%- for metric in counted %}
        case when {{ metric.column }}_users.members > 0 then {{ sqlrec.part(metric, 'absent') }} end as {{ metric.column }},
        {%- endfor %}
        cutoffs.k as k
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
    cross join cutoffs
    {{ 'cross join models' if 'model' in plan['keys'] }}
    left join lists on lists.user_id = absent_users.user_id{{ ' and lists.model = models.model' if 'model' in plan['keys'] }}
    {%- for metric in counted %}
    left join {{ sqlrec.part(metric, 'members') }} as {{ metric.column }}_users on {{ metric.column }}_users.user_id = absent_users.user_id
    {%- endfor %}
    {%- for table in sqlrec.segment_tables(plan).split() %}
    left join {{ table }}_segments on {{ table }}_segments.user_id = absent_users.user_id
    {%- endfor %}
    where coalesce({{ sqlrec.at_cutoff(plan, 'places', 'lists') }}, 0) = 0 and {{ sqlrec.asked_at(kind, 'cutoffs.k') }}
),
{{ kind.name }}_values as (
    select {{ sqlrec.names(lists + columns) }}
    from (
        select
            {{ lists | join(', ') }},
            {%- for column in columns %}
            {{ 'case when max(' ~ column ~ '_members) over (partition by ' ~ groups | join(', ') ~ ') > 0 then ' ~ column ~ ' end as ' if column in filled }}{{ column }},
            {%- endfor %}
            max(list_length) over (partition by {{ groups | join(', ') }}) as longest_list
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

-- The columns that metrics and their parts have beside the keys.
{% macro value_columns(plan, kind) -%}
{%- for metric in kind.metrics %}{{ metric.column }} {% for part in sqlrec.column_parts(plan, metric).split() %}{{ metric.column }}_{{ part }} {% endfor %}{% endfor -%}
{%- endmacro %}

-- The parts of a metric that are columns beside it.
{% macro column_parts(plan, metric) -%}
{%- for part in metric.parts if part not in ['summary', 'absent'] and (part != 'error' or plan.errors) and sqlrec.part(metric, part) %}{{ part }} {% endfor -%}
{%- endmacro %}

-- The rows that several kinds read: those that the text of some kind names.
{% macro shared_rows(plan, named) %}
{#- Where the truth has its say in the order of a list, it comes first. -#}
{% set by_relevance = plan.ties in ['best', 'worst'] %}
{% if plan.kinds | selectattr('truth') | list and by_relevance %}
{{ sqlrec.relevant(plan, named) }}
{% endif %}
{% if plan.recs %}
{{ sqlrec.listed(plan) }}
{% endif %}
{% if plan.kinds | selectattr('truth') | list and not by_relevance %}
{{ sqlrec.relevant(plan, named) }}
{% endif %}
{{ sqlrec.baseline(plan) }}
{{ sqlrec.history(plan, named) }}
{{ sqlrec.catalog(plan, named) }}
{{ sqlrec.item_features(plan, named) }}
{{ sqlrec.segments(plan) }}
{{ sqlrec.models(plan) }}
{{ sqlrec.cutoffs(plan) }}
{{ sqlrec.decisions(plan) }}
{% if 'shown_lists' in named %}
{{ sqlrec.shown_lists(plan) }}
{% endif %}
{% if 'repeated_pairs' in named %}
{{ sqlrec.repeated_pairs(plan) }}
{% endif %}
{% if ' evaluated' in named %}
{{ sqlrec.evaluated(plan, named) }}
{% endif %}
{% if ' rated_items' in named %}
{{ sqlrec.rated_items(plan) }}
{% endif %}
{% endmacro %}

{% macro metric_columns(plan, kind) %}
{%- for metric in kind.metrics %}
        {{ sqlrec.defined(plan, sqlrec[metric.macro](**metric.params) | trim | indent(8)) }} as {{ metric.column }}
        {%- for part in sqlrec.column_parts(plan, metric).split() %},
        {{ sqlrec.part(metric, part) | indent(8) }} as {{ metric.column }}_{{ part }}
        {%- endfor %}{{ ',' if not loop.last }}
{%- endfor %}
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
{% macro means(plan, kind) %}
{% set groups = sqlrec.groups(plan).split() %}
{{ kind.name }}_means as (
    select
        {{ groups | join(',\n        ') }},
        {%- if kind.of_users %}
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when {{ sqlrec.is_short(plan) }} then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast({{ 'sum(tied)' if plan.order == 'score' else 0 }} as bigint) as ties_at_cutoff
        {%- for metric in kind.metrics %},
        {{ sqlrec.known_of_all(plan, metric, sqlrec.summary(metric) | trim | indent(8)) }} as mean_{{ metric.column }},
        count({{ metric.column }}) as users_{{ metric.column }}
        {%- if plan.errors %},
        {{ sqlrec.standard_error(metric) | trim | indent(8) }} as error_{{ metric.column }}
        {%- endif %}
        {%- endfor %}
    from {{ kind.name }}_values
    group by {{ groups | join(', ') }}
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
        {%- for column in sqlrec.weight_columns(plan).split() if kind.weighed %},
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

-- Which mean of the values of users is reported: plain, weighted, or another summary, which is none.
{% macro which_mean(metric) -%}
{%- set summary = sqlrec.summary(metric) | trim -%}
{%- if summary == sqlrec.mean(metric.column) | trim -%}plain
{%- elif summary == sqlrec.weighted_mean(metric.column) | trim -%}weighted
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
sqrt({{ sqlrec.variance(value) }} / nullif(count({{ value }}), 0))
{%- elif mean == 'weighted' -%}
{%- set weight = 'case when ' ~ value ~ ' is null then ' ~ sqlrec.double(0) ~ ' else ' ~ value ~ '_weight end' -%}
{{ sqlrec.error_of_ratio(value ~ ' * ' ~ value ~ '_weight', weight) }}
{%- else -%}
{{ sqlrec.double('null') }}
{%- endif -%}
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

-- The F-beta of the mean of one part and the mean of another; 0 where both are.
{% macro f_of_means(column, beta) -%}
{%- set precision, recall = sqlrec.mean(column ~ '_precision'), sqlrec.mean(column ~ '_recall') -%}
coalesce(
    {{ sqlrec.double(1 + beta * beta) }} * {{ precision }} * {{ recall }}
    / nullif({{ sqlrec.double(beta * beta) }} * {{ precision }} + {{ recall }}, 0),
    {{ recall }}
)
{%- endmacro %}

-- Every model and cutoff, with those that nobody has a value at.
{% macro report(plan, kind) %}
{% set report = kind.name ~ '_means' %}
{% set several = 'model' in plan['keys'] %}
{% set by_account = several or plan.by %}
{% set repeated = 'repeated_in_segments' if plan.by else 'repeated' %}
{{ kind.name }}_report as (
    select
        {{ 'models.model as model,' if several }}
        {%- for segment in plan.by %}
        {{ report }}.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        cutoffs.k as k,
        {%- for metric in kind.metrics %}
        {{ report }}.mean_{{ metric.column }} as mean_{{ metric.column }},
        coalesce({{ report }}.users_{{ metric.column }}, 0) as users_{{ metric.column }},
        {%- if plan.errors %}
        {{ report }}.error_{{ metric.column }} as error_{{ metric.column }},
        {%- endif %}
        {%- endfor %}
        coalesce({{ report }}.users_evaluated, 0) as users_evaluated,
        {{ report }}.users_without_list as users_without_list,
        {{ report }}.short_lists as short_lists,
        {{ report }}.ties_at_cutoff as ties_at_cutoff,
        cast({{ 'coalesce(unjudged.unjudged_lists, 0)' if kind.truth else 'null' }} as bigint) as unjudged_lists,
        cast({{ 'coalesce(' ~ repeated ~ '.repeated_rows, 0)' if sqlrec.counts_repeats(plan) else 0 }} as bigint) as repeated_rows,
        {%- for column in sqlrec.weight_columns(plan).split() if kind.weighed %}
        {{ report }}.{{ column }} as {{ column }},
        {%- endfor %}
        cast(faulty.faults as bigint) as faults
    from cutoffs
    {{ 'cross join models' if several }}
    left join {{ report }} on {{ report }}.k = cutoffs.k{{ ' and ' ~ report ~ '.model = models.model' if several }}
    {%- if kind.truth %}
    left join unjudged on unjudged.k = cutoffs.k{{ ' and ' ~ sqlrec.of_account(plan, 'unjudged', report) if by_account }}
    {%- endif %}
    {%- if sqlrec.counts_repeats(plan) %}
    {{ 'left join ' ~ repeated ~ ' on ' ~ sqlrec.of_account(plan, repeated, report) if by_account else 'cross join repeated' }}
    {%- endif %}
    cross join faulty
),
{% endmacro %}

-- Whether rows that lists have more than once are left out, and counted.
{% macro counts_repeats(plan) %}{{ 'yes' if plan.recs and plan.duplicates in ['best', 'last'] }}{% endmacro %}

-- How often a rule is broken, in all inputs.
{% macro faulty(plan) %}
-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        {%- for rows in sqlrec.checked_rows(plan).split() %}
        {{ 'union all' if not loop.first }}
        select cast(faults as bigint) as faults from {{ rows }}
        {%- endfor %}
    ) as all_faults
),
{% endmacro %}

-- The rows that count broken rules.
{% macro checked_rows(plan) -%}
{{ 'lists ' if plan.recs }}
{{- 'judged_users ' if plan.kinds | selectattr('truth') | list }}
{{- 'baseline_lists ' if plan.baseline }}
{{- 'seen ' if plan.history }}
{{- 'catalogued ' if plan.catalog }}
{{- 'described ' if plan['items'] }}
{{- 'decisions ' if plan.logs }}
{%- for table in sqlrec.segment_tables(plan).split() %}{{ table }}_segments {% endfor -%}
{%- endmacro %}

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
case {{ kind.name }}_asked.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ column }}{{ metric.column }}
            {%- endfor %}
        end
{%- endmacro %}

-- Model and segments under the names that the caller knows.
{% macro named_keys(plan, table) -%}
{{ table ~ '.model' if 'model' in plan['keys'] else "'recs'" }} as model
{%- for segment in plan.by %},
    {{ table }}.{{ segment.name }} as {{ segment.label }}
{%- endfor %}
{%- endmacro %}

-- The cutoff; null for whole lists.
{% macro named_cutoff(plan, table) -%}
nullif({{ table }}.k, {{ plan.whole_list }}) as k
{%- endmacro %}

{% macro in_order(plan) -%}
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}metric asc, k asc
{%- endmacro %}

-- What values of all users together are grouped by.
{% macro groups(plan) -%}
{%- set groups = (['model'] if 'model' in plan['keys'] else []) + plan.by | map(attribute='name') | list + ['k'] -%}
{{ groups | join(' ') }}
{%- endmacro %}

-- What values of users are grouped by.
{% macro user_groups(plan) -%}
{{ (plan['keys'] + plan.by | map(attribute='name') | list + ['k', 'list_length']) | join(' ') }}{{ ' tied' if plan.order == 'score' }}
{%- endmacro %}

-- What values of all users together are grouped by, with who was counted.
{% macro whole_groups(plan) -%}
{{ sqlrec.groups(plan) }} users_evaluated short_lists ties_at_cutoff
{%- endmacro %}

-- A list ends before its cutoff: a condition. Whole lists are never short.
{% macro is_short(plan) -%}
list_length < k{{ ' and k < ' ~ plan.whole_list if not plan.depth }}
{%- endmacro %}

-- Those names of columns that some metric mentions as a word: a metric's own name may hold them too.
{% macro mentioned(columns, used) -%}
{%- set words = sqlrec.words(used).split() -%}
{%- for column in columns.split() if column in words %}{{ column }} {% endfor -%}
{%- endmacro %}

-- The words of a text, each once; those that start with some letters.
{% macro words(text, start='') -%}
{%- for word in (text | replace('(', ' ') | replace(')', ' ') | replace(',', ' ')).split() | unique if word[:start | length] == start -%}
{{ word }} {% endfor -%}
{%- endmacro %}

-- The cutoffs at which metrics of a kind are asked: a condition.
{% macro asked_at(kind, k) -%}
{{ k }} in ({{ kind.cutoffs | join(', ') }})
{%- endmacro %}

-- An expression under a name, which is not said twice.
{% macro named(expression, name) -%}
{{ expression }}{{ ' as ' ~ name if expression != name }}
{%- endmacro %}

-- Names in a list, of a table where one is given.
{% macro names(columns, table=none) -%}
{%- for column in columns %}{{ table ~ '.' if table }}{{ column }}{{ ', ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- Columns of a joined table, as entries of a select. ClickHouse asks for the name to be given again.
{% macro taken(columns, table) -%}
{%- for column in columns %}{{ table }}.{{ column }} as {{ column }}{{ ',
        ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- Two tables agree in their columns of these names.
{% macro same(columns, left, right) -%}
{%- for column in columns %}{{ left }}.{{ column }} = {{ right }}.{{ column }}{{ '
        and ' if not loop.last }}{% endfor -%}
{%- endmacro %}
