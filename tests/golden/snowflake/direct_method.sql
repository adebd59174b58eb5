-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
-- direct_method@all.
-- Reads logs (expected_reward).
with
-- Each decision.
logged_values as (
    select
        avg(cast(expected_reward as double)) as direct_method  -- Dudik et al. 2011
    from logs
)

select direct_method as value, cast(null as bigint) as users
from logged_values
