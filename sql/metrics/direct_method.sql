-- Direct method: the mean reward that a reward model predicts for another policy, unbounded.
--
--      sum of the expected rewards of the logged decisions
--     -----------------------------------------------------
--                     logged decisions
--
-- The expected reward is the sum over all actions of the evaluated policy's probability times the
-- model's prediction, given the user or context of the decision. The estimate is only as good as
-- the model: no logged reward corrects it.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601
-- Agrees    obp DirectMethod
-- Undefined never
-- Aliases   dm
-- Better    higher
-- Family    off-policy
-- Cutoff    none
-- Inputs    logs(expected_reward)
{% macro logged__direct_method() %}
favg(expected_reward)
{% endmacro %}

{% macro logged__direct_method__numerator() %}
sum(expected_reward)
{% endmacro %}

{% macro logged__direct_method__denominator() %}
cast(count(*) as double)
{% endmacro %}
