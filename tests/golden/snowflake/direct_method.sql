-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
-- direct_method@all.
-- Reads logs (expected_reward).
with
-- Every logged decision.
decisions_taken as (
    select
        case
            when cast(
                expected_reward as double
            ) between cast('-1e+100' as double) and cast('1e+100' as double)
                then cast(expected_reward as double)
        end as expected_reward
    from logs
),

decisions as (select expected_reward from decisions_taken),

-- Each decision.
decisions_counted as (
    select decisions.expected_reward as expected_reward, decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
),

logged as (select decisions_counted.expected_reward from decisions_counted),

logged_values as (
    select
        avg(expected_reward) as direct_method  -- Dudik et al. 2011
    from logged
)

select direct_method as value, cast(null as bigint) as users
from logged_values
