-- Sub-Gaussian DR: doubly robust with weights below 1 / shrinkage, unbounded. sub_gaussian_dr@all.
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

-- Each decision, with the place of its item in the list.
logged as (
    select decisions.reward, decisions.predicted_reward, decisions.expected_reward,
        cast(
            case when listed.rank is not null then 1 else 0 end as double
        ) / decisions.propensity as weight,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged_values as (
    select users_evaluated,
        favg(
            expected_reward + weight / (0.9e0 + 0.1e0 * weight) * (reward - predicted_reward)
        ) as sub_gaussian_dr  -- Metelli et al. 2021
    from logged
    group by users_evaluated
)

select sub_gaussian_dr as value,
    cast(case when sub_gaussian_dr is null then 0 else users_evaluated end as bigint) as users
from logged_values
