-- Sub-Gaussian DR: doubly robust with weights below 1 / shrinkage, unbounded.
--
--      mean of  expected reward + weight' * (reward - predicted reward)  over the logged decisions
--
--                            weight
--     weight' = ----------------------------------
--                1 - shrinkage + shrinkage * weight
--
-- With shrinkage=0, it is doubly_robust; as shrinkage approaches 1, all weights above 0 approach 1.
--
-- Source    Metelli et al. 2021, Subgaussian and Differentiable Importance Sampling for Off-Policy
--           Evaluation and Learning, NeurIPS
-- Agrees    obp SubGaussianDoublyRobust(lambda_=shrinkage)
-- Params    shrinkage = 0.1 from 0 below 1: the inverse of the bound of the weights
-- Undefined never
-- Aliases   sgdr
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__sub_gaussian_dr(shrinkage=0.1) %}
{{ sqlrec.mean('expected_reward + ' ~ sqlrec.sub_gaussian_weight(shrinkage) ~ ' * (reward - predicted_reward)') }}
{% endmacro %}

{% macro logged__sub_gaussian_dr__numerator(shrinkage=0.1) %}
sum(expected_reward + {{ sqlrec.sub_gaussian_weight(shrinkage) }} * (reward - predicted_reward))
{% endmacro %}

{% macro logged__sub_gaussian_dr__denominator(shrinkage=0.1) %}
cast(count(*) as double)
{% endmacro %}
