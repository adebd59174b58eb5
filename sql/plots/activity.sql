-- Activity: values of more and less active users. Users are sorted by the number of items in their
-- history, and divided into ten groups of about the same size. Users with the same number of items
-- are in the same group. One row per model, segment, metric, cutoff and group.
--
--   decile          the group, from 1 for users with the fewest items
--   least_items, most_items   the smallest and the largest number of items of users in the group
--   users           number of users with a value
--   value           the mean of their values
--   standard_error  the standard error of this mean
--
-- plan.user_history contains the relation of the history and its columns.

{% macro plot_activity(plan) %}
{% set segments = plan.by | map(attribute='label') | list %}
{% set groups = ['model'] + segments + ['metric', 'k'] %}
{% call sqlrec.plotted() %}
-- The mean of {{ plan.title }} by the number of items in the users' history.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
items_of_users as (
    select {{ sqlrec.with_alias(plan.user_history.columns.user_id, 'user_id') }}, count(distinct {{ plan.user_history.columns.item_id }}) as items_had
    from {{ plan.user_history.relation }}
    group by {{ plan.user_history.columns.user_id }}
),
active_users as (
    select
        {%- for name in groups %}
        user_results.{{ name }} as {{ name }},
        {%- endfor %}
        user_results.value as value,
        user_results.violations as violations,
        coalesce(items_of_users.items_had, 0) as items_had
    from user_results
    left join items_of_users on items_of_users.user_id = user_results.user_id
    where user_results.value is not null
),
group_exposure_users as (
    select
        {{ groups | join(', ') }}, value, violations, items_had,
        floor(
            (rank() over (partition by {{ groups | join(', ') }} order by items_had asc) - 1)
            * cast(10 as double) / count(*) over (partition by {{ groups | join(', ') }})
        ) as part
    from active_users
),
numbered_groups as (
    select
        {{ groups | join(', ') }}, value, violations, items_had,
        dense_rank() over (partition by {{ groups | join(', ') }} order by part asc) as decile
    from group_exposure_users
)
select
    {{ groups | join(', ') }},
    {{ sqlrec.request_text(plan) | trim }} as request,
    decile,
    min(items_had) as least_items,
    max(items_had) as most_items,
    count(*) as users,
    favg(value) as value,
    sqrt({{ sqlrec.variance('value') }} / cast(count(*) as double)) as standard_error,
    max(violations) as violations
from numbered_groups
group by {{ groups | join(', ') }}, decile
order by {{ groups | join(' asc, ') }} asc, decile asc
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}
