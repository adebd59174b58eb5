-- Set F: the weighted harmonic mean of precision and recall of the whole list, from 0 to 1.
--
--      (1 + x) * precision * recall          (1 + x) * hits within k
--     ------------------------------  =  --------------------------------------
--        recall + x * precision            x * relevant items + ranks within k
--
-- It differs from f_beta in two ways: precision is divided by the length of the list, not by the
-- cutoff, and x, the weight of recall, is not squared.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval, after van Rijsbergen 1979
-- Agrees    trec_eval set_F; ir_measures SetF with beta as x
-- Params    x = 1 above 0 to 1000000: the weight of recall
-- Undefined never; without a list or a relevant item, the value is 0
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__set_f(x=1) %}
coalesce(
    {{ sqlrec.one_and_times(x, 'sum(hit)') }} / nullif({{ sqlrec.times(x, 'relevant_items') }} + list_length, 0),
    0
)
{% endmacro %}
