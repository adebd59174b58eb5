-- SNDR: self-normalised doubly robust, whose correction is divided by the weights, unbounded.
--
--      mean of the expected reward  +  sum of  weight * (reward - predicted reward)
--                                     ----------------------------------------------
--                                                    sum of  weight
--
-- Over the logged decisions. It varies less than doubly_robust.
--
-- Source    Thomas & Brunskill 2016, arxiv.org/abs/1604.00923 (weighted doubly robust); Kallus & Uehara
--           2019, arxiv.org/abs/1906.03735
-- Agrees    obp SelfNormalizedDoublyRobust
-- Undefined where all weights are 0
-- Aliases   self_normalized_doubly_robust
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__sndr() %}
{{ sqlrec.mean('expected_reward') }}
+ sum(weight * (reward - predicted_reward)) / nullif(sum(weight), 0)
{% endmacro %}
