-- Compares models with one of them, the baseline, user by user: what two models have for the same user
-- moves together, so that the differences say more than two means and their intervals do.
--
--   users            users for whom both have a value
--   value            the mean of the model, over these users
--   baseline_value   the mean of the baseline, over these users
--   difference       the mean of the differences
--   standard_error   of that mean: the standard deviation of the differences / sqrt(users)
--   low, high        its 95 % interval by the normal distribution; null for fewer than two users
--
-- The plan has one entry more than sqlrec/plan.py lists, baseline_model: the name of that model as a text
-- constant.

{% macro comparison(plan) %}
-- The mean difference to {{ plan.baseline_model }} of {{ plan.title }}, user by user.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.all_values(plan) }}
{{ sqlrec.faulty(plan) }}
{%- for kind in plan.kinds %}
{{ sqlrec.compared(plan, kind) }}
{%- endfor %}
differences as (
    {%- for kind in plan.kinds %}
    {{ 'union all' if not loop.first }}
    select
        {{ sqlrec.named_keys(plan, kind.name ~ '_deviations') }},
        {{ sqlrec.taken(['metric', 'k', 'users', 'value', 'baseline_value', 'difference', 'standard_error'], kind.name ~ '_deviations') }}
    from {{ kind.name }}_deviations
    {%- endfor %}
)
select
    differences.model as model,
    {%- for segment in plan.by %}
    differences.{{ segment.label }} as {{ segment.label }},
    {%- endfor %}
    differences.metric as metric,
    {{ sqlrec.named_cutoff(plan, 'differences') }},
    differences.users as users,
    differences.value as value,
    differences.baseline_value as baseline_value,
    differences.difference as difference,
    differences.standard_error as standard_error,
    differences.difference - {{ sqlrec.double(1.959963984540054) }} * differences.standard_error as low,
    differences.difference + {{ sqlrec.double(1.959963984540054) }} * differences.standard_error as high,
    cast(faulty.faults as bigint) as faults
from differences
cross join faulty
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The differences of metrics over one kind of rows.
{% macro compared(plan, kind) %}
{% set groups = sqlrec.groups(plan).split() %}
-- Each row beside what the baseline has for the same user and cutoff.
{{ kind.name }}_paired as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in kind.metrics %},
        {{ metric.column }},
        max(case when model = {{ plan.baseline_model }} then {{ metric.column }} end)
            over (partition by user_id, k) as baseline_{{ metric.column }}
        {%- endfor %}
    from {{ kind.name }}_values
),
{{ kind.name }}_differences as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in kind.metrics %},
        case when baseline_{{ metric.column }} is not null then {{ metric.column }} end as value_{{ metric.column }},
        case when {{ metric.column }} is not null then baseline_{{ metric.column }} end as baseline_{{ metric.column }},
        {{ metric.column }} - baseline_{{ metric.column }} as difference_{{ metric.column }}
        {%- endfor %}
    from {{ kind.name }}_paired
    where model <> {{ plan.baseline_model }}
),
-- The means first: squares around them lose no digits.
{{ kind.name }}_centred as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in kind.metrics %},
        value_{{ metric.column }},
        baseline_{{ metric.column }},
        difference_{{ metric.column }},
        {{ sqlrec.mean('difference_' ~ metric.column) }} over (partition by {{ sqlrec.names(groups) }}) as mean_{{ metric.column }}
        {%- endfor %}
    from {{ kind.name }}_differences
),
{{ kind.name }}_compared as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in kind.metrics %},
        count(difference_{{ metric.column }}) as users_{{ metric.column }},
        {{ sqlrec.mean('value_' ~ metric.column) }} as value_{{ metric.column }},
        {{ sqlrec.mean('baseline_' ~ metric.column) }} as baseline_{{ metric.column }},
        max(mean_{{ metric.column }}) as difference_{{ metric.column }},
        sum(
            (difference_{{ metric.column }} - mean_{{ metric.column }})
            * (difference_{{ metric.column }} - mean_{{ metric.column }})
        ) as squares_{{ metric.column }}
        {%- endfor %}
    from {{ kind.name }}_centred
    group by {{ sqlrec.names(groups) }}
),
{{ sqlrec.asked(plan, kind) }},
{{ kind.name }}_pairs as (
    {%- set compared = kind.name ~ '_compared' %}
    select
        {{ sqlrec.taken(groups, compared) }},
        {{ kind.name }}_asked.metric as metric,
        {{ sqlrec.asked_value(kind, compared ~ '.users_') }} as users,
        {{ sqlrec.asked_value(kind, compared ~ '.value_') }} as value,
        {{ sqlrec.asked_value(kind, compared ~ '.baseline_') }} as baseline_value,
        {{ sqlrec.asked_value(kind, compared ~ '.difference_') }} as difference,
        {{ sqlrec.asked_value(kind, compared ~ '.squares_') }} as squares
    from {{ compared }}
    join {{ kind.name }}_asked on {{ kind.name }}_asked.k = {{ compared }}.k
),
-- One user has no deviation.
{{ kind.name }}_deviations as (
    select
        {{ sqlrec.names(groups) }}, metric, users, value, baseline_value, difference,
        sqrt(squares / nullif(users * (users - 1), 0)) as standard_error
    from {{ kind.name }}_pairs
),
{% endmacro %}
