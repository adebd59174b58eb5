-- R-precision: the precision at the place where a perfect list would end, from 0 to 1.
--
--      hits within R
--     ---------------   where R = the user's relevant items, but at most k
--            R
--
-- Without cutoff, R is all of the user's relevant items.
--
-- Source    Buckley & Voorhees 2000, doi.org/10.1145/345508.345543
-- Agrees    trec_eval Rprec; ir_measures Rprec; ranx r-precision; RecTools Precision(r_precision=True)
-- Differs   recommenders, which leaves out users without hit
-- Undefined for a user without relevant item
-- Aliases   rprec
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro judged__r_precision() %}
sum(case when rank <= {{ sqlrec.least('k', 'relevant_items') }} then hit else 0 end)
/ nullif({{ sqlrec.least('k', 'relevant_items') }}, 0)
{% endmacro %}
