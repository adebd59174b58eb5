-- Compares the value that each user has now with the stored one, in DuckDB: a row per model, segment,
-- metric and cutoff.
--
--   users, units                   number of users with both values, and of their groups
--   value, stored, difference      means over these users
--   gains, losses                  number of users whose value rose or fell
--   of_hits                        whether all values are 0 or 1
--   error, degrees_of_freedom      of the mean difference, as in clusters.sql
--
-- The plan is a dict: keys, the columns to group by; unit, the expression of a user or a group of
-- users; and path, the Parquet file of the values now. The tables are `stored`, and `models`, the
-- stored model of each model.

{% macro stored_pairs(plan) %}
{% set keys = plan['keys'] | join(', ') %}
with
stored_value_pairs as (
    select
        {%- for key in plan['keys'] %} now.{{ key }} as {{ key }},{% endfor %}
        {{ plan.unit }} as unit,
        now.value as now_value,
        stored.value as stored_value,
        now.value - stored.value as difference
    from read_parquet({{ plan.path }}) as now
    join models on models.model = now.model
    join stored
        on stored.model = models.stored
        and stored.user_id = now.user_id::varchar
        and stored.metric = now.metric
        and coalesce(stored.k, 0) = coalesce(now.k, 0)
    where now.value is not null and stored.value is not null
),
centred_pairs as (
    select *, difference - avg(difference) over (partition by {{ keys }}) as deviation
    from stored_value_pairs
),
pair_units as (
    select
        {{ keys }},
        count(*) as unit_users,
        sum(now_value) as now_sum,
        sum(stored_value) as stored_sum,
        sum(difference) as difference_sum,
        sum(deviation) as deviation,
        count(*) filter (difference > 0) as gains,
        count(*) filter (difference < 0) as losses,
        bool_and(now_value in (0, 1) and stored_value in (0, 1)) as of_hits
    from centred_pairs
    group by {{ keys }}, unit
),
pair_shares as (
    select *, nullif(1 - unit_users / sum(unit_users) over (partition by {{ keys }}), 0) as rest
    from pair_units
)
select
    {{ keys }},
    sum(unit_users)::bigint as users,
    count(*) as units,
    sum(now_sum) / sum(unit_users) as value,
    sum(stored_sum) / sum(unit_users) as stored,
    sum(difference_sum) / sum(unit_users) as difference,
    sum(gains)::bigint as gains,
    sum(losses)::bigint as losses,
    bool_and(of_hits) as of_hits,
    sqrt(sum(deviation * deviation / rest)) / sum(unit_users) as error,
    1 / (
        sum((1 - rest) ** 2) + sum((1 - rest) ** 2 / rest) ** 2
        - sum(((1 - rest) ** 2 / rest) ** 2)
    ) as degrees_of_freedom
from pair_shares
group by {{ keys }}
{% endmacro %}
