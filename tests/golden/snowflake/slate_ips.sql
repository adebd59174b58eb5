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

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the probability that the evaluated policy takes it.
target_decisions as (
    select decisions.slate_id, decisions.reward, decisions.propensity, decision_counts.counted,
        cast(case when listed.rank <= 10 then 1 else 0 end as double) as target_probability
    from decisions
    cross join decision_counts
    left join listed
        on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
        and listed.rank = decisions.position
),

-- Each decision, with the sums of its user and of all decisions.
summed_decisions as (
    select slate_id, reward, target_probability / propensity as weight, counted as users_evaluated
    from target_decisions
),

-- Each decision, with the sums of the logarithms of weights over its slate.
slate_logarithms as (
    select reward, users_evaluated,
        cast(count(*) over (partition by slate_id) as double) as slate_length,
        sum(
            coalesce(ln(nullif(weight, 0)), -1000000)
        ) over (partition by slate_id) as log_slate_weight
    from summed_decisions
),

-- Each decision, with its weights divided by their means at the position.
logged as (
    select reward, users_evaluated, slate_length,
        case
            when log_slate_weight > -600 then exp(least(log_slate_weight, 460))
            else 0
        end as slate_weight
    from slate_logarithms
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
