-- SNIPS: self-normalized IPS: the weighted mean of the rewards, unbounded.
--
--      sum of  weight * reward  over the logged decisions
--     ----------------------------------------------------
--          sum of  weight  over the logged decisions
--
-- It is between the smallest and the largest reward. Its variance is lower than the variance of
-- ips, which it approaches as the number of decisions grows.
--
-- Source    Swaminathan & Joachims 2015, The Self-Normalized Estimator for Counterfactual Learning,
--           NIPS
-- Agrees    obp SelfNormalizedInverseProbabilityWeighting
-- Undefined if all weights are 0
-- Aliases   snipw
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(reward, propensity), recs if given
{% macro logged__snips() %}
sum(weight * reward) / nullif(sum(weight), 0)
{% endmacro %}

{% macro logged__snips__error() %}
{{ sqlrec.error_of_users('weight * reward', 'user_reward', 'weight', 'user_weight') }}
{% endmacro %}

{% macro logged__snips__numerator() %}
sum(weight * reward)
{% endmacro %}

{% macro logged__snips__denominator() %}
sum(weight)
{% endmacro %}
