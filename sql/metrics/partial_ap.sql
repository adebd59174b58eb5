-- Partial AP: the AUC of the first n hits and the first n misses of the list, known as pAp, from 0
-- to 1.
--
--      sum over the first n hits of  max(n - misses above the hit, 0)
--     ----------------------------------------------------------------
--                     n * min(n, relevant items)
--
-- A miss is a rank without a hit. Only the first 2 * n ranks affect the value. Relevant items that
-- are not in the list rank below all misses, which can lower the value of a short list.
--
-- Source    Budhiraja et al. 2020, arxiv.org/abs/2001.10495
-- Agrees    RecTools PAP with k as n
-- Differs   RecTools if ranks have gaps, which it counts as misses
-- Params    n = 10 from 1 to 1000000 by 1: how many hits and misses count
--           insufficient = ignore | exclude: whether users are scored or excluded if their list has
--           fewer than n misses and lacks a relevant item
-- Undefined for a user without a relevant item; with insufficient=exclude, also for the excluded
--           users
-- Aliases   pap
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__partial_ap(n=10, insufficient='ignore') %}
{% if insufficient == 'exclude' %}
case when list_length - sum(hit) >= {{ sqlrec.double(n) }} or sum(hit) = relevant_items then
{% endif %}
sum(
    case
        when misses_so_far < {{ n }} and hits_so_far <= {{ n }}
        then hit * ({{ n }} - misses_so_far)
        else cast(0 as double)
    end
) / nullif(
    {{ n }} * {{ sqlrec.least(n, 'relevant_items') }}, 0
)
{% if insufficient == 'exclude' %}
end
{% endif %}
{% endmacro %}
