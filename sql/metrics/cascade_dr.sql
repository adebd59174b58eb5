-- Cascade DR: the mean reward of a slate that another policy would have had, doubly robust for users who
-- read from the top, unbounded.
--
--      sum of  weight * (reward - predicted reward) + weight above * expected reward  over all positions
--     ---------------------------------------------------------------------------------------------------
--                                               slates
--
-- A slate is a list that was shown at once: rows of logs with one slate_id, a row for each position, whose
-- reward is the position's own. The weight is the product of target probability / propensity of the
-- position and those above it, the weight above that without the position's own factor. A probability is
-- that of the item given the items above it. The predicted reward is a model's of the rewards from this
-- position down, given the items to here; the expected reward its mean over the items that the other
-- policy may put at this position.
--
-- It is unbiased if users read from the top, and the propensities or the model are right.
--
-- Source    Kiyohara et al. 2022, arxiv.org/abs/2202.01562, equation 4
-- Agrees    obp SlateCascadeDoublyRobust
-- Undefined never
-- Aliases   slate_cascade_dr
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, slate_id, position, predicted_reward, expected_reward), recs if given
{% macro logged__cascade_dr() %}
sum(cascade_weight * (reward - predicted_reward) + weight_above * expected_reward) / sum(1 / slate_length)
{% endmacro %}

{% macro logged__cascade_dr__part() %}
sum(cascade_weight * (reward - predicted_reward) + weight_above * expected_reward)
{% endmacro %}

{% macro logged__cascade_dr__whole() %}
sum(1 / slate_length)
{% endmacro %}
