-- Fuses all that is asked into one statement:
--
--   inputs -> rows -> metrics -> values of users -> means
--
-- The plan is a dict whose entries sqlrec/plan.py lists. A metric is the macro <rows>__<metric>: one
-- aggregate over the rows of that name. Rows make those columns that some metric names.

{% macro evaluation(plan) %}
-- The mean over users of {{ plan.title }}.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.user_values(plan) }},
means as (
    select
        {{ 'model,' if 'model' in plan['keys'] }}
        {%- for segment in plan.by %}
        {{ segment.name }},
        {%- endfor %}
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k{{ ' and k < ' ~ plan.whole_list if not plan.depth }} then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast({{ 'sum(tied)' if plan.order == 'score' else 0 }} as bigint) as ties_at_cutoff
        {%- for metric in plan.metrics %},
        {{ sqlrec.mean(metric.column) }} as mean_{{ metric.column }},
        count({{ metric.column }}) as users_{{ metric.column }}
        {%- endfor %}
    from user_values
    group by {{ 'model, ' if 'model' in plan['keys'] }}{% for segment in plan.by %}{{ segment.name }}, {% endfor %}k
),
{{ sqlrec.unjudged(plan) }}
{{ sqlrec.faulty(plan) }}
report as (
    select
        {{ 'models.model as model,' if 'model' in plan['keys'] }}
        {%- for segment in plan.by %}
        means.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        cutoffs.k as k,
        {%- for metric in plan.metrics %}
        means.mean_{{ metric.column }} as mean_{{ metric.column }},
        coalesce(means.users_{{ metric.column }}, 0) as users_{{ metric.column }},
        {%- endfor %}
        coalesce(means.users_evaluated, 0) as users_evaluated,
        means.users_without_list as users_without_list,
        means.short_lists as short_lists,
        means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast({{ 'coalesce(repeated.repeated_rows, 0)' if plan.duplicates == 'best' else 0 }} as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    {{ 'cross join models' if 'model' in plan['keys'] }}
    left join means on means.k = cutoffs.k{{ ' and means.model = models.model' if 'model' in plan['keys'] }}
    left join unjudged on unjudged.k = cutoffs.k{{ ' and unjudged.model = models.model' if 'model' in plan['keys'] }}
    {%- if plan.duplicates == 'best' %}
    {{ 'left join repeated on repeated.model = models.model' if 'model' in plan['keys'] else 'cross join repeated' }}
    {%- endif %}
    cross join faulty
),
{{ sqlrec.asked(plan) }}
select
    {{ sqlrec.named_keys(plan, 'report') }},
    asked.metric as metric,
    {{ sqlrec.named_cutoff(plan, 'report') }},
    {{ sqlrec.asked_value(plan, 'report.mean_') }} as value,
    {{ sqlrec.asked_value(plan, 'report.users_') }} as users,
    report.users_evaluated as users_evaluated,
    report.users_without_list as users_without_list,
    report.short_lists as short_lists,
    report.ties_at_cutoff as ties_at_cutoff,
    report.unjudged_lists as unjudged_lists,
    report.repeated_rows as repeated_rows,
    report.faults as faults
from report
join asked on asked.k = report.k
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- How often a rule is broken, in all inputs.
{% macro faulty(plan) %}
-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select faults from lists
        union all
        select faults from judged_users
        {%- for table in sqlrec.segment_tables(plan).split() %}
        union all
        select faults from {{ table }}_segments
        {%- endfor %}
    ) as all_faults
),
{% endmacro %}

-- The same values before the mean, a row each.
{% macro user_evaluation(plan) %}
-- Each user's {{ plan.title }}.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.user_values(plan) }},
{{ sqlrec.faulty(plan) }}
{{ sqlrec.asked(plan) }}
select
    {{ sqlrec.named_keys(plan, 'user_values') }},
    user_values.user_id as user_id,
    asked.metric as metric,
    {{ sqlrec.named_cutoff(plan, 'user_values') }},
    {{ sqlrec.asked_value(plan, 'user_values.') }} as value,
    cast(faulty.faults as bigint) as faults
from user_values
join asked on asked.k = user_values.k
cross join faulty
{{ sqlrec.ending() }}
{% endmacro %}

-- One row per model, user and cutoff, a column for each metric.
{% macro user_values(plan) %}
{% set used = sqlrec.metric_columns(plan) %}
{% set user = sqlrec.judged_user(plan, used).split() %}
with
{{ sqlrec.listed(plan) }}
{{ sqlrec.relevant(plan) }}
{{ sqlrec.evaluated(plan, used) }}
{{ sqlrec.judged(plan, used) }}
user_values as (
    select
        {{ user | join(',\n        ') }},
        {{ used | trim }}
    from judged
    group by {{ user | join(', ') }}
)
{%- endmacro %}

{% macro metric_columns(plan) %}
{%- for metric in plan.metrics %}
        {{ sqlrec[metric.macro](**metric.params) | trim | indent(8) }} as {{ metric.column }}{{ ',' if not loop.last }}
{%- endfor %}
{% endmacro %}

-- Each metric asked with each of its cutoffs: columns become rows by a join, so that engines which
-- compute a named query once for each mention compute it once.
{% macro asked(plan) %}
asked as (
    {%- for metric in plan.metrics %}
    {%- set metric_number = loop.index %}
    {%- set last_metric = loop.last %}
    {%- for k in metric.cutoffs %}
    select '{{ metric.label }}' as metric, {{ metric_number }} as number, cast({{ k }} as bigint) as k{{ ' union all' if not (last_metric and loop.last) }}
    {%- endfor %}
    {%- endfor %}
)
{% endmacro %}

-- The value of the metric asked, of columns named alike.
{% macro asked_value(plan, column) -%}
case asked.number
        {%- for metric in plan.metrics %}
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
{{ table ~ '.k' if plan.depth else 'nullif(' ~ table ~ '.k, ' ~ plan.whole_list ~ ')' }} as k
{%- endmacro %}

{% macro in_order(plan) -%}
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}metric asc, k asc
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
