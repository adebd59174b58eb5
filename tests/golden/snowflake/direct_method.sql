-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
-- direct_method@all.
-- Reads logs (expected_reward).
with
-- Every logged decision.
decisions as (select cast(expected_reward as double) as expected_reward from logs),

-- Each decision.
logged as (select decisions.expected_reward from decisions),

logged_values as (
    select
        avg(expected_reward) as direct_method  -- Dudik et al. 2011
    from logged
)

select direct_method as value, cast(null as bigint) as users
from logged_values
