-- CTR: the mean reward of those logged decisions that the lists would have taken too, from 0 to 1
-- where a reward is a click. ctr@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id, reward).
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
        end as reward
    from logs
),

decisions as (select user_id, item_id, reward from decisions_taken),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select listed.rank as rank, decisions.reward as reward,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged as (
    select decisions_counted.reward,
        cast(
            case when decisions_counted.rank <= 10 then 1 else 0 end as double
        ) as target_probability
    from decisions_counted
),

logged_values as (
    select
        -- Li et al. 2011
        sum(target_probability * reward) / nullif(sum(target_probability), 0) as ctr
    from logged
)

select ctr as value, cast(null as bigint) as users
from logged_values
