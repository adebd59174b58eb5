-- Geometric MAP: the geometric mean of per-user average precision, dominated by the users with the
-- lowest values, from 0 to 1.
--
--     exp(mean over users of ln(max(average precision, 0.00001)))
--
-- Per-user values are average precision itself.
--
-- Source    Robertson 2006, doi.org/10.1145/1183614.1183630, with the floor of trec_eval
-- Agrees    trec_eval gm_map
-- Undefined for a user without a relevant item
-- Aliases   gmap, gm_map
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__geometric_map() %}
sum(hit * hits_so_far / rank) / nullif(relevant_items, 0)
{% endmacro %}
{% macro hits__geometric_map__summary(column) %}
{{ sqlrec.geometric_mean(column) }}
{% endmacro %}
