-- CTR: the mean reward of the logged decisions that the lists would have made too, from 0 to 1
-- where a reward is a click.
--
--      sum of the rewards of decisions whose item is in the user's list within k
--     ---------------------------------------------------------------------------
--                   decisions whose item is in the user's list within k
--
-- If logs has a column position, the item has to be at the logged position. Decisions that the
-- logged policy preferred weigh more than they would if the lists had been shown; ips and snips
-- correct for that.
--
-- Source    Li et al. 2011, doi.org/10.1145/1935826.1935878, for a uniform logged policy; Jurity
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

{% macro logged__ctr__part() %}
sum(target_probability * reward)
{% endmacro %}

{% macro logged__ctr__whole() %}
sum(target_probability)
{% endmacro %}
