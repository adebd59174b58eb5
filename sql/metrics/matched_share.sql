-- Matched share: the share of the logged decisions that the other policy could have taken, from 0 to 1.
--
--      decisions with a target probability above 0
--     ---------------------------------------------
--                   logged decisions
--
-- All other decisions say nothing of that policy. The share of its own actions that the logs could hold
-- is another thing, which logs do not tell.
--
-- Source    none, it is a count
-- Undefined never
-- Aliases   weight_overlap
-- Better    neither
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs, recs if given
{% macro logged__matched_share() %}
{{ sqlrec.mean(sqlrec.indicator('target_probability > 0')) }}
{% endmacro %}

{% macro logged__matched_share__part() %}
sum({{ sqlrec.indicator('target_probability > 0') }})
{% endmacro %}

{% macro logged__matched_share__whole() %}
{{ sqlrec.double('count(*)') }}
{% endmacro %}
