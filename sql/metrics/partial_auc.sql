-- Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1.
--
--      sum over the hits of  max(misses - misses above the hit, 0)
--     -------------------------------------------------------------
--                    misses * relevant items
--
-- A miss is a rank without a hit. The length of the list should be at least `misses` plus the
-- number of the user's relevant items. Relevant items that are not in the list rank below all
-- misses, which can lower the value of a shorter list.
--
-- Source    Budhiraja et al. 2020, arxiv.org/abs/2001.10495
-- Agrees    RecTools PartialAUC with k as the number of misses
-- Differs   RecTools if ranks have gaps, which it counts as misses
-- Params    misses = 10 from 1 to 1000000 by 1: how many misses count
--           insufficient = ignore | exclude: whether users are scored or excluded if their list has
--           fewer misses and lacks a relevant item
-- Undefined for a user without a relevant item, and with insufficient=exclude, for the excluded
--           users
-- Aliases   pauc
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__partial_auc(misses=10, insufficient='ignore') %}
{% if insufficient == 'exclude' %}
case when list_length - sum(hit) >= {{ sqlrec.double(misses) }} or sum(hit) = relevant_items then
{% endif %}
sum(
    case
        when misses_so_far < {{ misses }}
        then hit * ({{ misses }} - misses_so_far)
        else cast(0 as double)
    end
) / nullif({{ misses }} * relevant_items, 0)
{% if insufficient == 'exclude' %}
end
{% endif %}
{% endmacro %}
