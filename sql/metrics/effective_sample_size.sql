-- Effective sample size: the number of equally weighted decisions that would be as informative,
-- from 1 to the number of logged decisions.
--
--      (sum of  weight)^2
--     --------------------  over the logged decisions
--      sum of  weight^2
--
-- If it is small, a few decisions determine ips and similar estimates. evaluate warns if it is
-- below 100 or below 1% of the decisions.
--
-- Source    Kish 1965, Survey Sampling; Kong 1992, A note on importance sampling using standardized
--           weights
-- Undefined if all weights are 0
-- Aliases   ess
-- Better    neither
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(propensity), recs if given
{% macro logged__effective_sample_size() %}
{{ sqlrec.effective_decisions() }}
{% endmacro %}
