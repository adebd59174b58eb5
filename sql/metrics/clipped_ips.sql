-- Clipped IPS: IPS with each weight cut at a limit, unbounded.
--
--      sum of  min(weight, clip) * reward  over the logged decisions
--     ---------------------------------------------------------------
--                           logged decisions
--
-- Its variance is lower than the variance of ips. If a weight is cut, the estimate is biased: it is
-- too low if rewards are above 0.
--
-- Source    Ionides 2008, doi.org/10.1198/106186008X320456; Strehl et al. 2010,
--           arxiv.org/abs/1003.0120, who bound the propensity from below
-- Agrees    obp InverseProbabilityWeighting(lambda_=clip), from 0.5
-- Params    clip = 10 above 0 to 1000000000: the largest weight
-- Undefined never
-- Aliases   clipped_ipw, cips
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(reward, propensity), recs if given
{% macro logged__clipped_ips(clip=10) %}
{{ sqlrec.mean(sqlrec.least('weight', sqlrec.literal(clip)) ~ ' * reward') }}
{% endmacro %}

{% macro logged__clipped_ips__numerator(clip=10) %}
sum({{ sqlrec.least('weight', sqlrec.literal(clip)) }} * reward)
{% endmacro %}

{% macro logged__clipped_ips__denominator(clip=10) %}
cast(count(*) as double)
{% endmacro %}
