-- Cascade DR: the mean reward that the slates of another policy would have had, estimated doubly
-- robustly for users who read from the top, unbounded. cascade_dr@all.
-- Reads recs (user_id, item_id, score) and
-- logs (user_id, item_id, propensity, position, reward, slate_id, predicted_reward,
-- expected_reward).
with
-- Lists from the best score down; equal scores by item.
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

-- Each decision, with the place of its item in the list.
decisions_weighed as (
    select decisions.reward, decisions.predicted_reward, decisions.expected_reward,
        cast(
            case when listed.rank is not null then 1 else 0 end as double
        ) / decisions.propensity as weight,
        decisions.slate_id, decisions.position, decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed
        on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
        and listed.rank = decisions.position
),

-- Each decision, with the sum of the logarithms of weights over its slate.
slates_weighed as (
    select reward, predicted_reward, expected_reward, weight, slate_id, position, users_evaluated,
        sum(coalesce(ln(nullif(weight, 0)), -1000000)) over (
            partition by slate_id order by position rows between unbounded preceding and current row
        ) as log_cascade_weight,
        coalesce(
            sum(coalesce(ln(nullif(weight, 0)), -1000000)) over (
                partition by slate_id order by position
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as log_weight_above,
        cast(count(*) over (partition by slate_id) as double) as slate_length
    from decisions_weighed
),

-- Each with its products of weights.
logged as (
    select reward, predicted_reward, expected_reward, weight, slate_id, position, users_evaluated,
        slate_length,
        case
            when log_cascade_weight > -600 then exp(least(log_cascade_weight, 460))
            else 0
        end as cascade_weight,
        case
            when log_weight_above > -600 then exp(least(log_weight_above, 460))
            else 0
        end as weight_above
    from slates_weighed
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
