-- How far users differ from what model and user alone would make of them, of users who have a value of
-- every model: what Tukey's test of all pairs of models stands on.
--
--   users    how many such users there are
--   value    the mean of the model
--   squares  the sum of squares of what is left of its values when model and user are taken off
--
-- Source    Tukey 1949, doi.org/10.2307/3001913; Montgomery, Design and Analysis of Experiments, 4.1

{% macro blocks(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- What is left of {{ plan.title }} when model and user are taken off.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.complete_values(plan) }},
{{ sqlrec.linear_complete_values(plan, groups) }}
residuals as (
    select
        model, {{ sqlrec.names(groups) }}, value, violations,
        value
        - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}, user_id)
        - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}, model)
        + {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}) as residual
    from {{ 'linear_values' if plan.terms else 'complete_values' }}
)
select
    model, {{ sqlrec.names(groups) }},
    count(*) as users,
    {{ sqlrec.mean('value') }} as value,
    sum(residual * residual) as squares,
    max(violations) as violations
from residuals
group by model, {{ sqlrec.names(groups) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The largest difference of two models' sums where each user's values are dealt to the models at random, by
-- hashes of users and models: a row per segment, metric, cutoff and trial, with its spread.
--
-- Source    Carterette 2012, doi.org/10.1145/2094072.2094076
--
-- The plan has an entry more than sqlrec/plan/plan.py lists, trials: how many.
{% macro ranges(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- How far models are apart by {{ plan.title }} where users' values are dealt to them at random.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.complete_values(plan) }},
{{ sqlrec.linear_complete_values(plan, groups) }}
trials as ({{ sqlrec.counting(plan.trials) }}),
hashed_values as (
    select
        {{ sqlrec.names(groups) }}, model, user_id, value, violations, trials.number as trial,
        {{ sqlrec.md5(sqlrec.string('user_id') ~ " || '~' || model || '~' || " ~ sqlrec.string('trials.number')) }} as digits
    from {{ 'linear_values' if plan.terms else 'complete_values' }}
    cross join trials
    where trials.number <= {{ plan.trials }}
),
dealt_values as (
    select
        {{ sqlrec.names(groups) }}, trial, value, violations,
        row_number() over (
            partition by {{ sqlrec.names(groups) }}, user_id, trial order by digits asc, model asc
        ) as place
    from hashed_values
),
dealt_sums as (
    select {{ sqlrec.names(groups) }}, trial, place, sum(value) as total, max(violations) as violations
    from dealt_values
    group by {{ sqlrec.names(groups) }}, trial, place
)
select {{ sqlrec.names(groups) }}, trial, max(total) - min(total) as spread, max(violations) as violations
from dealt_sums
group by {{ sqlrec.names(groups) }}, trial
{{ sqlrec.ending() }}
{% endmacro %}

-- These values where some metric is a function of sums: made means.
{% macro linear_complete_values(plan, groups) %}
{% if plan.terms %}
{% set sums = '(partition by model, ' ~ sqlrec.names(groups) ~ ')' %}
summed_terms as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, value as user_value, violations, added_part, added_whole,
        count(*) over {{ sums }} as sum_users,
        sum(added_part) over {{ sums }} as added_parts, sum(added_whole) over {{ sums }} as added_wholes
    from complete_values
),
linear_values as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, violations,
        {{ sqlrec.linear_value(plan, 'user_value') | trim }} as value
    from summed_terms
),
{% endif %}
{%- endmacro %}

-- Per-user values who have one of every model that somebody has one of.
{% macro complete_values(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
{% set terms = (', added_part, added_whole' if plan.terms else '') ~ (', list_length' if plan.lengths else '') %}
shared_values as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, value{{ terms }}, violations,
        count(*) over (partition by {{ sqlrec.names(groups) }}, user_id) as user_models,
        dense_rank() over (partition by metric, k order by model asc) as model_number
    from user_results
    where {{ 'added_part + added_whole' if plan.terms else 'value' }} is not null
),
counted_values as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, value{{ terms }}, violations, user_models,
        max(model_number) over (partition by metric, k) as models
    from shared_values
),
complete_values as (
    select model, {{ sqlrec.names(groups) }}, user_id, value{{ terms }}, violations
    from counted_values
    where user_models = models
)
{%- endmacro %}
