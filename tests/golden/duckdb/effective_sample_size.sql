-- Effective sample size: the number of equally weighted decisions that are as informative, from 1
-- to the number of logged decisions. effective_sample_size@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id, propensity).
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
            when cast(propensity as double) between 1e-100 and cast(1 as double)
                then cast(propensity as double)
        end as propensity
    from logs
),

decisions as (select user_id, item_id, propensity from decisions_taken),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select listed.rank as rank, decisions.propensity as propensity,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged as (
    select
        cast(case when decisions_counted.rank <= 10 then 1 else 0 end as double)
        / decisions_counted.propensity as weight
    from decisions_counted
),

logged_values as (
    select
        case
            when abs(sum(weight)) > 1e-150 then (sum(weight)) * (sum(weight))
            else cast(0 as double)
        end
        / nullif(
            sum(case when abs(weight) > 1e-150 then (weight) * (weight) else cast(0 as double) end),
            0
        ) as effective_sample_size  -- Kish 1965
    from logged
)

select effective_sample_size as value, cast(null as bigint) as users
from logged_values
