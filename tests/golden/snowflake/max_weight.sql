-- Maximum weight: the largest importance weight of a logged decision, at least 0. max_weight@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id, propensity).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions as (
    select user_id, item_id, cast(propensity as double) as propensity
    from logs
),

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the probability that the evaluated policy takes it.
target_decisions as (
    select decisions.propensity, decision_counts.counted,
        cast(case when listed.rank <= 10 then 1 else 0 end as double) as target_probability
    from decisions
    cross join decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

-- Each decision, with the sums of its user and of all decisions.
logged as (
    select target_probability / propensity as weight, counted as users_evaluated
    from target_decisions
),

logged_values as (
    select users_evaluated, max(weight) as max_weight  -- Owen 2013
    from logged
    group by users_evaluated
)

select max_weight as value,
    cast(case when max_weight is null then 0 else users_evaluated end as bigint) as users
from logged_values
