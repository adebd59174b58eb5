-- Doubly robust: the direct method, corrected by the weighted errors of the reward model,
-- unbounded.
--
--      sum of  expected reward + weight * (reward - predicted reward)  over the logged decisions
--     -------------------------------------------------------------------------------------------
--                                     logged decisions
--
-- It is unbiased if the propensities or the reward model are right. The predicted reward is the
-- reward model's prediction for the logged action; the expected reward is its mean prediction under
-- the evaluated policy.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601
-- Agrees    obp DoublyRobust
-- Differs   Jurity CTR(estimation='dr'), which averages over the ranks of the lists: the score,
--           plus (reward - score) / propensity if logs has the pair of user and item
-- Undefined never
-- Aliases   dr
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__doubly_robust() %}
favg(expected_reward + weight * (reward - predicted_reward))
{% endmacro %}

{% macro logged__doubly_robust__numerator() %}
sum(expected_reward + weight * (reward - predicted_reward))
{% endmacro %}

{% macro logged__doubly_robust__denominator() %}
cast(count(*) as double)
{% endmacro %}
