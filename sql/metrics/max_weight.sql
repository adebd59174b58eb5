-- Maximum weight: the largest importance weight of a logged decision, at least 0.
--
--      the largest  target probability / propensity  of a logged decision
--
-- Source    Owen 2013, Monte Carlo theory, methods and examples, chapter 9, on diagnosing weights
-- Undefined never
-- Aliases   largest_weight
-- Better    neither
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(propensity), recs if given
{% macro logged__max_weight() %}
max(weight)
{% endmacro %}
