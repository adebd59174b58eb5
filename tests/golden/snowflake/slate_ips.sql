-- Slate IPS: the mean reward that the slates of another policy would have had, estimated by inverse
-- propensity scores, unbounded. slate_ips@10.
-- Reads recs (user_id, item_id, score) and
-- logs (user_id, item_id, propensity, position, reward, slate_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions as (
    select user_id, item_id, slate_id, cast(position as bigint) as position,
        cast(reward as double) as reward, cast(propensity as double) as propensity
    from logs
),

-- Each decision, with the place of its item in the list.
decisions_weighed as (
    select decisions.reward,
        cast(
            case when listed.rank <= 10 then 1 else 0 end as double
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
    select reward, weight, slate_id, position, users_evaluated,
        sum(
            coalesce(ln(nullif(weight, 0)), -1000000)
        ) over (partition by slate_id) as log_slate_weight,
        cast(count(*) over (partition by slate_id) as double) as slate_length
    from decisions_weighed
),

-- Each with its products of weights.
logged as (
    select reward, weight, slate_id, position, users_evaluated, slate_length,
        case
            when log_slate_weight > -600 then exp(least(log_slate_weight, 460))
            else 0
        end as slate_weight
    from slates_weighed
),

logged_values as (
    select users_evaluated,
        sum(slate_weight * reward) / sum(1 / slate_length) as slate_ips  -- McInerney et al. 2020
    from logged
    group by users_evaluated
)

select slate_ips as value,
    cast(case when slate_ips is null then 0 else users_evaluated end as bigint) as users
from logged_values
