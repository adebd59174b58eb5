-- Matched share: the share of the logged decisions that the evaluated policy could have made, from
-- 0 to 1.
--
--      decisions with a target probability above 0
--     ---------------------------------------------
--                   logged decisions
--
-- The other decisions have no information about that policy. Logs cannot show which share of the
-- policy's own actions they cover.
--
-- Source    none, because it is a count
-- Undefined never
-- Aliases   weight_overlap
-- Better    neither
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs, recs if given
{% macro logged__matched_share() %}
{{ sqlrec.mean(sqlrec.indicator('target_probability > 0')) }}
{% endmacro %}

{% macro logged__matched_share__numerator() %}
sum(cast(case when target_probability > 0 then 1 else 0 end as double))
{% endmacro %}

{% macro logged__matched_share__denominator() %}
cast(count(*) as double)
{% endmacro %}
