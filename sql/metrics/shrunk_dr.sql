-- Shrunk DR: doubly robust with large weights shrunk toward 0, unbounded.
--
--      mean of  expected reward + weight' * (reward - predicted reward)  over the logged decisions
--
--                shrinkage * weight
--     weight' = ----------------------
--                weight^2 + shrinkage
--
-- A weight of sqrt(shrinkage) is halved, and a larger weight is reduced more. With a small
-- shrinkage, the estimate approaches direct_method; with a large shrinkage, doubly_robust.
--
-- Source    Su et al. 2020, arxiv.org/abs/1907.09623 (optimistic shrinkage)
-- Agrees    obp DoublyRobustWithShrinkage(lambda_=shrinkage)
-- Params    shrinkage = 10 above 0 to 1000000000: the square of the weight that is halved
-- Undefined never
-- Aliases   dros
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(reward, propensity, predicted_reward, expected_reward), recs if given
{% macro logged__shrunk_dr(shrinkage=10) %}
{{ sqlrec.mean('expected_reward + ' ~ sqlrec.shrunk_weight(shrinkage) ~ ' * (reward - predicted_reward)') }}
{% endmacro %}

{% macro logged__shrunk_dr__numerator(shrinkage=10) %}
sum(expected_reward + {{ sqlrec.shrunk_weight(shrinkage) }} * (reward - predicted_reward))
{% endmacro %}

{% macro logged__shrunk_dr__denominator(shrinkage=10) %}
cast(count(*) as double)
{% endmacro %}
