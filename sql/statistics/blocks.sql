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
shared_values as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, value, faults,
        count(*) over (partition by {{ sqlrec.names(groups) }}, user_id) as user_models
    from user_results
    where value is not null
),
counted as (
    select
        model, {{ sqlrec.names(groups) }}, user_id, value, faults, user_models,
        max(user_models) over (partition by {{ sqlrec.names(groups) }}) as models
    from shared_values
),
residuals as (
    select
        model, {{ sqlrec.names(groups) }}, value, faults,
        value
        - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}, user_id)
        - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}, model)
        + {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}) as residual
    from counted
    where user_models = models
)
select
    model, {{ sqlrec.names(groups) }},
    count(*) as users,
    {{ sqlrec.mean('value') }} as value,
    sum(residual * residual) as squares,
    max(faults) as faults
from residuals
group by model, {{ sqlrec.names(groups) }}
{{ sqlrec.ending() }}
{% endmacro %}
