-- Cascade DR: the mean reward that the slates of another policy would have had, estimated doubly
-- robustly for users who read from the top, unbounded. cascade_dr@all.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id, propensity, position, reward,
-- slate_id, predicted_reward, expected_reward).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions as (
    select user_id, item_id, slate_id, cast(position as bigint) as position,
        cast(reward as double) as reward, cast(propensity as double) as propensity,
        cast(predicted_reward as double) as predicted_reward,
        cast(expected_reward as double) as expected_reward
    from logs
),

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the probability that the lists take it.
target_decisions as (
    select decisions.slate_id, decisions.position, decisions.reward, decisions.propensity,
        decisions.predicted_reward, decisions.expected_reward, decision_counts.counted,
        cast(case when listed.rank <= 2147483646 then 1 else 0 end as double) as target_probability
    from decisions
    cross join decision_counts
    left join listed
        on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
        and listed.rank = decisions.position
),

-- Each decision, with its weight. A logarithm of a weight of 0 is -1000000.
weighed_decisions as (
    select slate_id, position, reward, predicted_reward, expected_reward, counted,
        coalesce(ln(nullif(target_probability / propensity, 0)), -1000000) as log_weight
    from target_decisions
),

-- Each decision, with sums over its user and over all decisions, and sums of logarithms of weights
-- over its slate.
summed_decisions as (
    select reward, predicted_reward, expected_reward, counted as users_evaluated,
        cast(count(*) over (partition by slate_id) as double) as slate_length,
        sum(log_weight) over (
            partition by slate_id order by position rows between unbounded preceding and current row
        ) as log_cascade_weight,
        coalesce(
            sum(log_weight) over (
                partition by slate_id order by position
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as log_weight_above
    from weighed_decisions
),

-- Each decision, with its weights, and with their sums and means.
logged as (
    select reward, predicted_reward, expected_reward, users_evaluated, slate_length,
        case
            when log_cascade_weight > -600 then exp(least(log_cascade_weight, 460))
            else 0
        end as cascade_weight,
        case
            when log_weight_above > -600 then exp(least(log_weight_above, 460))
            else 0
        end as weight_above
    from summed_decisions
),

logged_values as (
    select users_evaluated,
        sum(
            cascade_weight * (reward - predicted_reward) + weight_above * expected_reward
        ) / sum(1 / slate_length) as cascade_dr  -- Kiyohara et al. 2022
    from logged
    group by users_evaluated
)

select cascade_dr as value,
    cast(case when cascade_dr is null then 0 else users_evaluated end as bigint) as users
from logged_values
