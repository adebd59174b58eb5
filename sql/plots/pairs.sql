-- Pairs: comparisons of each model with each other model. One row per ordered pair of models,
-- segment, metric and cutoff, over the users for whom both models have a value.
--
--   model, rival    the two models
--   users           number of users with a value for both models
--   value, rival_value  the means over these users
--   difference      the mean of value - rival_value
--   standard_error  the standard error of this mean
--   ties            number of users with values that are equal to twelve decimals
{% macro plot_pairs(plan) %}
{% set groups = plan.by | map(attribute='label') | list + ['metric', 'k'] %}
{% set pair = ['model', 'rival'] + groups %}
{% call sqlrec.plotted() %}
-- {{ plan.title }} of each model compared with each other model, user by user.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
valued_users as (
    select model, {{ groups | join(', ') }}, coalesce(k, {{ plan.whole_list }}) as cutoff, user_id, value, violations
    from user_results
    where value is not null
),
paired_values as (
    select
        valued_users.model as model,
        rivals.model as rival,
        {{ sqlrec.columns_of(groups, 'valued_users') }},
        valued_users.value as value,
        rivals.value as rival_value,
        valued_users.value - rivals.value as difference,
        valued_users.violations as violations
    from valued_users
    join valued_users as rivals
        on rivals.user_id = valued_users.user_id
        and rivals.metric = valued_users.metric
        and rivals.cutoff = valued_users.cutoff
    where rivals.model <> valued_users.model
)
select
    {{ pair | join(', ') }},
    {{ sqlrec.request_text(plan) | trim }} as request,
    {{ sqlrec.better(plan) }} as better,
    count(*) as users,
    favg(value) as value,
    favg(rival_value) as rival_value,
    favg(difference) as difference,
    sqrt({{ sqlrec.variance('difference') }} / cast(count(*) as double)) as standard_error,
    cast(sum(case when abs(difference) < 5e-13 then 1 else 0 end) as bigint) as ties,
    max(violations) as violations
from paired_values
group by {{ pair | join(', ') }}
order by metric asc, k asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}model asc, rival asc
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}
