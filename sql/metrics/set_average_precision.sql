-- Set average precision: precision times recall of the list, which is average precision with the
-- precision of the whole list at each hit, from 0 to 1.
--
--     precision * recall  =  hits within k / ranks within k  *  hits within k / relevant items
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
