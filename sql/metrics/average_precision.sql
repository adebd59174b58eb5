-- Average precision: the precision at each hit, summed and divided by the number of hits that were
-- possible, from 0 to 1. Its mean over users is known as MAP.
--
--      sum over the hits within k of  (hits so far) / (rank)
--     --------------------------------------------------------
--                        relevant items
--
-- Libraries use six different divisors under this name. The parameter divide_by selects one of
-- them.
--
-- Source    Buckley & Voorhees 2000, doi.org/10.1145/345508.345543
-- Agrees    trec_eval map, map_cut; ir_measures AP; ranx map; RecTools MAP; rs_metrics from 0.5
-- Differs   achievable: RePlay, Jurity, RecBole, recommenders map_at_k, Spark MLlib
--           meanAveragePrecisionAt, XGBoost, LightGBM, ml_metrics mapk of Kaggle; hits:
--           torchmetrics, recmetrics, rs_metrics 0.4, ragas context precision; k: RePlay 0.11 and
--           0.12, RecTools divide_by_k; list_length: rs_metrics 0.3; achievable_in_list: LensKit
-- Params    divide_by = relevant | achievable | hits | k | list_length | achievable_in_list: the
--           relevant items; the relevant items, but at most k; the hits within k; the cutoff; the
--           length of the list within k; or the relevant items, but at most the length of the list
--           within k
--           without_hits = zero | one: the value of a list without a hit within k
-- Undefined for a user without a relevant item, if divide_by is relevant, achievable or
--           achievable_in_list and without_hits=zero
-- Ties      expected, in closed form, except divide_by=hits and without_hits=one: the number of
--           hits changes with the order, and the best order need not have the largest value
-- Aliases   ap, map, mean_average_precision
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__average_precision(divide_by='relevant', without_hits='zero') %}
{% if without_hits == 'one' %}
case when sum(hit) > 0 then
{% endif %}
{% if divide_by == 'relevant' %}
sum(hit * hits_so_far / rank) / nullif(relevant_items, 0)
{% elif divide_by == 'achievable' %}
sum(hit * hits_so_far / rank) / nullif(least(k, relevant_items), 0)
{% elif divide_by == 'hits' %}
coalesce(sum(hit * hits_so_far / rank) / nullif(sum(hit), 0), 0)
{% elif divide_by == 'k' %}
sum(hit * hits_so_far / rank) / k
{% elif divide_by == 'achievable_in_list' %}
case
    when relevant_items > 0
    then coalesce(sum(hit * hits_so_far / rank) / nullif(least(list_length, relevant_items), 0), 0)
end
{% else %}
coalesce(sum(hit * hits_so_far / rank) / nullif(list_length, 0), 0)
{% endif %}
{% if without_hits == 'one' %}
else cast(1 as double) end
{% endif %}
{% endmacro %}

{% macro expected__average_precision(divide_by='relevant', without_hits='zero') %}
{{ sqlrec.hits__average_precision(divide_by) }}
{% endmacro %}
