-- Geometric bpref: the geometric mean of per-user bpref, dominated by the users with the lowest
-- values, from 0 to 1.
--
--     exp(mean over users of ln(max(bpref, 0.00001)))
--
-- Per-user values are bpref itself.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval, after Robertson 2006,
--           doi.org/10.1145/1183614.1183630
-- Agrees    trec_eval gm_bpref
-- Undefined for a user without a relevant item
-- Aliases   gm_bpref
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__geometric_bpref() %}
{{ sqlrec.hits__bpref() }}
{% endmacro %}
{% macro hits__geometric_bpref__summary(column) %}
{{ sqlrec.geometric_mean(column) }}
{% endmacro %}
