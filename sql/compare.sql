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
-- The plan has one entry more than sqlrec/plan.py lists, baseline: the name of that model as a text
-- constant.

{% macro comparison(plan) %}
{% set segments = plan.by | map(attribute='name') | list %}
{% set groups = ['model'] + segments + ['k'] %}
-- The mean difference to {{ plan.baseline }} of {{ plan.title }}, user by user.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
{{ sqlrec.user_values(plan) }},
-- Each row beside what the baseline has for the same user and cutoff.
paired as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in plan.metrics %},
        {{ metric.column }},
        max(case when model = {{ plan.baseline }} then {{ metric.column }} end)
            over (partition by user_id, k) as baseline_{{ metric.column }}
        {%- endfor %}
    from user_values
),
differences as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in plan.metrics %},
        case when baseline_{{ metric.column }} is not null then {{ metric.column }} end as value_{{ metric.column }},
        case when {{ metric.column }} is not null then baseline_{{ metric.column }} end as baseline_{{ metric.column }},
        {{ metric.column }} - baseline_{{ metric.column }} as difference_{{ metric.column }}
        {%- endfor %}
    from paired
    where model <> {{ plan.baseline }}
),
-- The means first: squares around them lose no digits.
centred as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in plan.metrics %},
        value_{{ metric.column }},
        baseline_{{ metric.column }},
        difference_{{ metric.column }},
        {{ sqlrec.mean('difference_' ~ metric.column) }} over (partition by {{ sqlrec.names(groups) }}) as mean_{{ metric.column }}
        {%- endfor %}
    from differences
),
compared as (
    select
        {{ sqlrec.names(groups) }}
        {%- for metric in plan.metrics %},
        count(difference_{{ metric.column }}) as users_{{ metric.column }},
        {{ sqlrec.mean('value_' ~ metric.column) }} as value_{{ metric.column }},
        {{ sqlrec.mean('baseline_' ~ metric.column) }} as baseline_{{ metric.column }},
        max(mean_{{ metric.column }}) as difference_{{ metric.column }},
        sum(
            (difference_{{ metric.column }} - mean_{{ metric.column }})
            * (difference_{{ metric.column }} - mean_{{ metric.column }})
        ) as squares_{{ metric.column }}
        {%- endfor %}
    from centred
    group by {{ sqlrec.names(groups) }}
),
{{ sqlrec.faulty(plan) }}
{{ sqlrec.asked(plan) }},
report as (
    select
        {{ sqlrec.taken(groups, 'compared') }},
        asked.metric as metric,
        {{ sqlrec.asked_value(plan, 'compared.users_') }} as users,
        {{ sqlrec.asked_value(plan, 'compared.value_') }} as value,
        {{ sqlrec.asked_value(plan, 'compared.baseline_') }} as baseline_value,
        {{ sqlrec.asked_value(plan, 'compared.difference_') }} as difference,
        {{ sqlrec.asked_value(plan, 'compared.squares_') }} as squares
    from compared
    join asked on asked.k = compared.k
),
-- One user has no deviation.
deviations as (
    select
        {{ sqlrec.names(groups) }}, metric, users, value, baseline_value, difference,
        sqrt(squares / nullif(users * (users - 1), 0)) as standard_error
    from report
)
select
    {{ sqlrec.named_keys(plan, 'deviations') }},
    deviations.metric as metric,
    {{ sqlrec.named_cutoff(plan, 'deviations') }},
    deviations.users as users,
    deviations.value as value,
    deviations.baseline_value as baseline_value,
    deviations.difference as difference,
    deviations.standard_error as standard_error,
    deviations.difference - {{ sqlrec.double(1.959963984540054) }} * deviations.standard_error as low,
    deviations.difference + {{ sqlrec.double(1.959963984540054) }} * deviations.standard_error as high,
    cast(faulty.faults as bigint) as faults
from deviations
cross join faulty
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}
