-- All days so far, from the sums of the days, without the rows of the past.
with
days as (
    select model, metric, k, request, users, value, coalesce(standard_error, 0) as standard_error
    from {{ ref('evaluation_daily') }}
    where users > 0
),
totals as (
    select
        model, metric, k, max(request) as request,
        cast(sum(users) as bigint) as users, sum(users * value) / sum(users) as value
    from days
    group by model, metric, k
)
select
    totals.model,
    totals.metric,
    totals.k,
    totals.request,
    totals.users,
    totals.value,
    sqrt(
        -- The squared differences within days, and between days.
        sum(
            (days.users - 1) * days.users * days.standard_error * days.standard_error
            + days.users * (days.value - totals.value) * (days.value - totals.value)
        )
        / nullif(totals.users - 1, 0) / totals.users
    ) as standard_error
from days
join totals on totals.model = days.model and totals.metric = days.metric and totals.k = days.k
group by totals.model, totals.metric, totals.k, totals.request, totals.users, totals.value
