-- Sub-Gaussian IPS: IPS with weights below 1 / shrinkage, unbounded.
--
--      mean of  weight' * reward  over the logged decisions
--
--                            weight
--     weight' = ----------------------------------
--                1 - shrinkage + shrinkage * weight
--
-- With shrinkage=0, it is ips; as shrinkage approaches 1, all weights above 0 approach 1. A large
-- weight is not cut as in clipped_ips, but reduced smoothly.
--
-- Source    Metelli et al. 2021, Subgaussian and Differentiable Importance Sampling for Off-Policy
--           Evaluation and Learning, NeurIPS
-- Agrees    obp SubGaussianInverseProbabilityWeighting(lambda_=shrinkage)
-- Params    shrinkage = 0.1 from 0 below 1: the inverse of the bound of the weights
-- Undefined never
-- Aliases   sgips
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(reward, propensity), recs if given
{% macro logged__sub_gaussian_ips(shrinkage=0.1) %}
{{ sqlrec.mean(sqlrec.sub_gaussian_weight(shrinkage) ~ ' * reward') }}
{% endmacro %}

{% macro logged__sub_gaussian_ips__numerator(shrinkage=0.1) %}
sum({{ sqlrec.sub_gaussian_weight(shrinkage) }} * reward)
{% endmacro %}

{% macro logged__sub_gaussian_ips__denominator(shrinkage=0.1) %}
cast(count(*) as double)
{% endmacro %}
