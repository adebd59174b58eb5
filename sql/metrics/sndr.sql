-- SNDR: self-normalized doubly robust: the correction is divided by the sum of the weights,
-- unbounded.
--
--      sum of  expected reward     sum of  weight * (reward - predicted reward)
--     ------------------------- + ----------------------------------------------  over the logged decisions
--         logged decisions                        sum of  weight
--
-- Its variance is lower than the variance of doubly_robust.
--
-- Source    Thomas & Brunskill 2016, arxiv.org/abs/1604.00923 (weighted doubly robust); Kallus &
--           Uehara 2019, arxiv.org/abs/1906.03735
-- Agrees    obp SelfNormalizedDoublyRobust
-- Undefined if all weights are 0
-- Aliases   self_normalized_doubly_robust
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__sndr() %}
favg(expected_reward)
+ sum(weight * (reward - predicted_reward)) / nullif(sum(weight), 0)
{% endmacro %}

-- Linearized around mean_weight and correction, which are over all decisions and are constants
-- here: the ratio of these sums changes with a user as the value does.
{% macro logged__sndr__numerator() %}
sum(expected_reward + weight * (reward - predicted_reward - correction) / mean_weight + correction)
{% endmacro %}

{% macro logged__sndr__denominator() %}
cast(count(*) as double)
{% endmacro %}
