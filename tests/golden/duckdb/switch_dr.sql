-- Switch DR: doubly robust, but without the correction if the weight is too large, unbounded.
-- switch_dr@all.
-- Reads recs (user_id, item_id, score) and
-- logs (user_id, item_id, propensity, reward, predicted_reward, expected_reward).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions as (
    select user_id, item_id, cast(reward as double) as reward,
        cast(propensity as double) as propensity,
        cast(predicted_reward as double) as predicted_reward,
        cast(expected_reward as double) as expected_reward
    from logs
),

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the probability that the evaluated policy takes it.
target_decisions as (
    select decisions.reward, decisions.propensity, decisions.predicted_reward,
        decisions.expected_reward, decision_counts.counted,
        cast(case when listed.rank <= 2147483646 then 1 else 0 end as double) as target_probability
    from decisions
    cross join decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

-- Each decision, with the sums of its user and of all decisions.
logged as (
    select reward, predicted_reward, expected_reward, target_probability / propensity as weight,
        counted as users_evaluated
    from target_decisions
),

logged_values as (
    select users_evaluated,
        favg(
            expected_reward
            + case
                when weight <= cast(10 as double) then weight
                else 0
            end * (reward - predicted_reward)
        ) as switch_dr  -- Wang et al. 2017
    from logged
    group by users_evaluated
)

select switch_dr as value,
    cast(case when switch_dr is null then 0 else users_evaluated end as bigint) as users
from logged_values
