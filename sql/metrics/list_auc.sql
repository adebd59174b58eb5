-- List AUC: the share of pairs of a hit and a miss within the first k ranks in which the hit is
-- above, from 0 to 1.
--
--          sum over the hits within k of  (misses above the hit)
--     1 - -------------------------------------------------------
--                       hits * misses within k
--
-- A miss is a rank without a hit. Relevant items that are not within k do not count: a model that
-- finds one item and ranks it first has the value 1.
--
-- Source    RePlay 0.22, github.com/sb-ai-lab/RePlay
-- Agrees    RePlay RocAuc, with no_pairs=bounds
-- Differs   AUC over all items, or of scores: catalog_auc, auc and gauc
-- Params    no_pairs = undefined | bounds: the value of a list with only hits or only misses:
--           undefined, or 1 without a miss and 0 without a hit
-- Undefined for a user without a hit or without a miss within k; never with no_pairs=bounds
-- Aliases   roc_auc
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__list_auc(no_pairs='undefined') %}
{% if no_pairs == 'bounds' %}
case
    when sum(hit) = 0 then cast(0 as double)
    when sum(hit) = list_length then cast(1 as double)
    else
{% endif %}
1 - sum(hit * misses_so_far) / nullif(sum(hit) * (list_length - sum(hit)), 0)
{% if no_pairs == 'bounds' %}
end
{% endif %}
{% endmacro %}
