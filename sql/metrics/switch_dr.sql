-- Switch DR: doubly robust, but without the correction if the weight is too large, unbounded.
--
--      sum of  expected reward + weight * (reward - predicted reward), the latter if weight <= tau
--     ------------------------------------------------------------------------------------------------
--                                         logged decisions
--
-- With a small tau, the estimate approaches direct_method; with a large tau, doubly_robust.
--
-- Source    Wang et al. 2017, arxiv.org/abs/1612.01205
-- Agrees    obp SwitchDoublyRobust(tau=tau), lambda_=tau from 0.5
-- Params    tau = 10 from 0 to 1000000000: the largest weight at which a decision is corrected
-- Undefined never
-- Aliases   switch_doubly_robust
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__switch_dr(tau=10) %}
{% set correction = 'case when weight <= ' ~ sqlrec.double(tau) ~ ' then weight else 0 end' %}
{{ sqlrec.mean('expected_reward + ' ~ correction ~ ' * (reward - predicted_reward)') }}
{% endmacro %}

{% macro logged__switch_dr__numerator(tau=10) %}
sum(expected_reward + case when weight <= {{ sqlrec.double(tau) }} then weight else 0 end * (reward - predicted_reward))
{% endmacro %}

{% macro logged__switch_dr__denominator(tau=10) %}
cast(count(*) as double)
{% endmacro %}
