-- CTR: the mean reward of the logged decisions with an item in the user's list, from 0 to 1 if
-- rewards are clicks.
--
--      sum of the rewards of decisions with an item in the user's list within k
--     ---------------------------------------------------------------------------
--               decisions with an item in the user's list within k
--
-- If logs has a column position, the item must be at the logged position in the list. CTR is
-- biased toward decisions that the logging policy preferred; ips and snips correct this bias.
--
-- Source    Li et al. 2011, doi.org/10.1145/1935826.1935878, for a uniform logging policy; Jurity
--           2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='matching'); obp ReplayMethod
-- Undefined if no decision is in a list
-- Aliases   click_through_rate, replay
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    recs, logs(reward)
{% macro logged__ctr() %}
sum(target_probability * reward) / nullif(sum(target_probability), 0)
{% endmacro %}

{% macro logged__ctr__numerator() %}
sum(target_probability * reward)
{% endmacro %}

{% macro logged__ctr__denominator() %}
sum(target_probability)
{% endmacro %}
