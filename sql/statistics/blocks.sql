-- Residuals of an additive model of user and model, over users with a value for every model, for
-- Tukey's test of all pairs of models.
--
--   users    number of such users
--   value    the mean of the model
--   squares  the sum of its squared residuals
--
-- Source    Tukey 1949, doi.org/10.2307/3001913; Montgomery, Design and Analysis of Experiments, 4.1

{% macro blocks(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- Residuals of {{ plan.title }} after the effects of model and user.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.complete_values(plan) }},
{{ sqlrec.linear_complete_values(plan, groups) }}
residuals as (
    select
        model, {{ groups | join(', ') }}, value, violations,
        value
        - favg(value) over (partition by {{ groups | join(', ') }}, user_id)
        - favg(value) over (partition by {{ groups | join(', ') }}, model)
        + favg(value) over (partition by {{ groups | join(', ') }}) as residual
    from {{ 'linear_values' if plan.terms else 'complete_values' }}
)
select
    model, {{ groups | join(', ') }},
    count(*) as users,
    favg(value) as value,
    sum(residual * residual) as squares,
    max(violations) as violations
from residuals
group by model, {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The largest difference of two models' sums, if each user's values are assigned to the models at
-- random, by hashes of users and models. One row per segment, metric, cutoff and trial.
--
-- Source    Carterette 2012, doi.org/10.1145/2094072.2094076
--
-- The plan has an additional entry, trials: the number of trials.
{% macro ranges(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- The range of the models' {{ plan.title }} if users' values are assigned to models at random.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.complete_values(plan) }},
{{ sqlrec.linear_complete_values(plan, groups) }}
trials as ({{ sqlrec.integers_to(plan.trials) }}),
hashed_values as (
    select
        {{ groups | join(', ') }}, model, user_id, value, violations, trials.number as trial,
        {{ sqlrec.md5(sqlrec.string('user_id') ~ " || '~' || model || '~' || " ~ sqlrec.string('trials.number')) }} as digits
    from {{ 'linear_values' if plan.terms else 'complete_values' }}
    cross join trials
    where trials.number <= {{ plan.trials }}
),
dealt_values as (
    select
        {{ groups | join(', ') }}, trial, value, violations,
        row_number() over (
            partition by {{ groups | join(', ') }}, user_id, trial order by digits asc, model asc
        ) as block
    from hashed_values
),
dealt_sums as (
    select {{ groups | join(', ') }}, trial, block, sum(value) as total, max(violations) as violations
    from dealt_values
    group by {{ groups | join(', ') }}, trial, block
)
select {{ groups | join(', ') }}, trial, max(total) - min(total) as spread, max(violations) as violations
from dealt_sums
group by {{ groups | join(', ') }}, trial
{{ sqlrec.ending() }}
{% endmacro %}

-- These values. If a metric is a function of sums, they are linearized, so their mean is the
-- metric.
{% macro linear_complete_values(plan, groups) %}
{% if plan.terms %}
{% set sums = '(partition by model, ' ~ groups | join(', ') ~ ')' %}
summed_terms as (
    select
        model, {{ groups | join(', ') }}, user_id, value as user_value, violations, added_numerator, added_denominator,
        count(*) over {{ sums }} as sum_users,
        sum(added_numerator) over {{ sums }} as added_numerators, sum(added_denominator) over {{ sums }} as added_denominators
    from complete_values
),
linear_values as (
    select
        model, {{ groups | join(', ') }}, user_id, violations,
        {{ sqlrec.linear_value(plan, 'user_value') | trim }} as value
    from summed_terms
),
{% endif %}
{%- endmacro %}

-- Per-user values, for users with a value for every model.
{% macro complete_values(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
{% set terms = ', added_numerator, added_denominator' if plan.terms else '' %}
shared_values as (
    select
        model, {{ groups | join(', ') }}, user_id, value{{ terms }}, violations,
        count(*) over (partition by {{ groups | join(', ') }}, user_id) as user_models,
        dense_rank() over (partition by metric, k order by model asc) as model_number
    from user_results
    where {{ 'added_numerator + added_denominator' if plan.terms else 'value' }} is not null
),
counted_values as (
    select
        model, {{ groups | join(', ') }}, user_id, value{{ terms }}, violations, user_models,
        max(model_number) over (partition by metric, k) as models
    from shared_values
),
complete_values as (
    select model, {{ groups | join(', ') }}, user_id, value{{ terms }}, violations
    from counted_values
    where user_models = models
)
{%- endmacro %}
