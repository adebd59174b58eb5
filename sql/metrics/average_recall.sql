-- Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users
-- is known as MAR.
--
--      sum over the hits within k of  (hits so far) / (relevant items)
--     -----------------------------------------------------------------
--                             hits within k
--
-- For a user without a hit, the value is 0. With divide_by=k, it is the recall at each rank from 1
-- to k, averaged over these k ranks, even if the list is shorter.
--
-- Source    rs_metrics 0.4 (mar), the only published definition
-- Agrees    rs_metrics 0.4
-- Differs   list_length: rs_metrics 0.3; achievable: WarpRec; k: Elliot; recmetrics' mark sums
--           precision, not recall
-- Params    divide_by = hits | list_length | achievable | k: the hits within k; the ranks of the
--           list within k; the relevant items, but at most k; or the cutoff, with a sum over the
--           recall at each rank from 1 to k
-- Undefined for a user without a relevant item
-- Aliases   ar, mar, mean_average_recall
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__average_recall(divide_by='hits') %}
{% if divide_by == 'hits' %}
coalesce(sum(hit * hits_so_far) / nullif(sum(hit), 0), 0) / nullif(relevant_items, 0)
{% elif divide_by == 'achievable' %}
sum(hit * hits_so_far) / nullif(least(k, relevant_items), 0) / nullif(relevant_items, 0)
{% elif divide_by == 'k' %}
sum(hit * (k - rank + 1)) / k / nullif(relevant_items, 0)
{% else %}
coalesce(sum(hit * hits_so_far) / nullif(list_length, 0), 0) / nullif(relevant_items, 0)
{% endif %}
{% endmacro %}
