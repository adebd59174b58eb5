-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
-- direct_method@all.
-- Reads logs (expected_reward).
with
-- Every logged decision.
decisions as (select cast(expected_reward as double) as expected_reward from logs),

-- Each decision.
logged as (
    select decisions.expected_reward, decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
),

logged_values as (
    select users_evaluated, avg(expected_reward) as direct_method  -- Dudik et al. 2011
    from logged
    group by users_evaluated
)

select direct_method as value,
    cast(case when direct_method is null then 0 else users_evaluated end as bigint) as users
from logged_values
