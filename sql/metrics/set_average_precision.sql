-- Set average precision: what average precision would be if all places of the list had the same
-- precision, from 0 to 1.
--
--     precision * recall  =  hits within k / places within k  *  hits within k / relevant items
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval set_map; ir_measures SetAP
-- Undefined for a user without a relevant item
-- Aliases   set_map, set_ap
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__set_average_precision() %}
coalesce(sum(hit) / nullif(list_length, 0), 0) * sum(hit) / nullif(relevant_items, 0)
{% endmacro %}
