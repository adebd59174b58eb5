-- Cascade DR: the mean reward that the slates of another policy would have had, estimated doubly
-- robustly for users who read from the top, unbounded.
--
--      sum of  weight * (reward - predicted reward) + weight above * expected reward  over all positions
--     ---------------------------------------------------------------------------------------------------
--                                               slates
--
-- A slate is a list of items shown together: rows of logs with the same slate_id, a row for each
-- position with the reward of this position. The weight of a position is the product of target
-- probability / propensity over this position and all positions above; the weight above excludes this
-- position. Each probability is conditional on the items above. The predicted reward is a model's
-- prediction of the sum of the rewards from this position down, given the items down to this
-- position; the expected reward is the mean of this prediction over the items that the evaluated
-- policy may put at this position.
--
-- It is unbiased if users read from the top and if the propensities or the model are right.
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

{% macro logged__cascade_dr__numerator() %}
sum(cascade_weight * (reward - predicted_reward) + weight_above * expected_reward)
{% endmacro %}

{% macro logged__cascade_dr__denominator() %}
sum(1 / slate_length)
{% endmacro %}
