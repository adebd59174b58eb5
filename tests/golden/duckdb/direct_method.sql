-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
-- direct_method@all.
-- Reads logs (expected_reward).
with
-- Every logged decision.
decisions as (select cast(expected_reward as double) as expected_reward from logs),

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the sums of its user and of all decisions.
logged_values as (
    select decision_counts.counted as users_evaluated,
        favg(decisions.expected_reward) as direct_method  -- Dudik et al. 2011
    from decisions
    cross join decision_counts
    group by decision_counts.counted
)

select direct_method as value,
    cast(case when direct_method is null then 0 else users_evaluated end as bigint) as users
from logged_values
