-- Clipped IPS: IPS in which no weight is larger than a limit, unbounded. clipped_ips@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id, propensity, reward).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions_taken as (
    select user_id, item_id,
        case
            when cast(reward as double) between cast(
                '-1e+100' as double
            ) and cast('1e+100' as double)
                then cast(reward as double)
        end as reward,
        case
            when cast(propensity as double) between cast('1e-100' as double) and cast(1 as double)
                then cast(propensity as double)
        end as propensity
    from logs
),

decisions as (select user_id, item_id, reward, propensity from decisions_taken),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select listed.rank as rank, decisions.reward as reward, decisions.propensity as propensity,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged as (
    select decisions_counted.reward,
        cast(case when decisions_counted.rank <= 10 then 1 else 0 end as double)
        / decisions_counted.propensity as weight
    from decisions_counted
),

logged_values as (
    select
        avg(least(weight, cast(10 as double)) * reward) as clipped_ips  -- Ionides 2008
    from logged
)

select clipped_ips as value, cast(null as bigint) as users
from logged_values
