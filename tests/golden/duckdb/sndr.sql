-- SNDR: self-normalized doubly robust: the correction is divided by the sum of the weights,
-- unbounded. sndr@all.
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
        -- Thomas & Brunskill 2016
        favg(expected_reward)
        + sum(weight * (reward - predicted_reward)) / nullif(sum(weight), 0) as sndr
    from logged
    group by users_evaluated
)

select sndr as value,
    cast(case when sndr is null then 0 else users_evaluated end as bigint) as users
from logged_values
