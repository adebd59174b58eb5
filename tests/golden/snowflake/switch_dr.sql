-- Switch DR: doubly robust without the correction where a weight is too large, unbounded.
-- switch_dr@all.
-- Reads recs (user_id, item_id, score) and
-- logs (user_id, item_id, propensity, reward, expected_reward, predicted_reward).
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
        end as propensity,
        case
            when cast(
                predicted_reward as double
            ) between cast('-1e+100' as double) and cast('1e+100' as double)
                then cast(predicted_reward as double)
        end as predicted_reward,
        case
            when cast(
                expected_reward as double
            ) between cast('-1e+100' as double) and cast('1e+100' as double)
                then cast(expected_reward as double)
        end as expected_reward
    from logs
),

decisions as (
    select user_id, item_id, reward, propensity, predicted_reward, expected_reward
    from decisions_taken
),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select listed.rank as rank, decisions.reward as reward, decisions.propensity as propensity,
        decisions.predicted_reward as predicted_reward,
        decisions.expected_reward as expected_reward, decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged as (
    select decisions_counted.reward, decisions_counted.predicted_reward,
        decisions_counted.expected_reward,
        cast(
            case when decisions_counted.rank is not null then 1 else 0 end as double
        ) / decisions_counted.propensity as weight
    from decisions_counted
),

logged_values as (
    select
        avg(
            expected_reward
            + case
                when weight <= cast(10 as double) then weight
                else 0
            end * (reward - predicted_reward)
        ) as switch_dr  -- Wang et al. 2017
    from logged
)

select switch_dr as value, cast(null as bigint) as users
from logged_values
