-- Partial AP: the AUC of the first few hits and the first few misses of the list, which is pAp, partial
-- AUC and precision in one, from 0 to 1.
--
--      sum over the first n hits of  max(n - misses above the hit, 0)
--     ----------------------------------------------------------------
--                     n * min(n, relevant items)
--
-- A miss is a place without a hit. 2 * n places are enough; items not in the list count as below all
-- misses, which can lower the value of a shorter list.
--
-- Source    Budhiraja et al. 2020, arxiv.org/abs/2001.10495
-- Agrees    RecTools PAP, whose k is n
-- Differs   RecTools where ranks leave places out, which it counts as misses
-- Params    n = 10 from 1 to 1000000 by 1: how many hits and misses count
--           insufficient = ignore | exclude: what is done with a list that has fewer than n misses and
--           not all relevant items: nothing, or the user is left out
-- Undefined for a user without a relevant item, and for one who is left out
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
        when misses_so_far < {{ sqlrec.double(n) }} and hits_so_far <= {{ sqlrec.double(n) }}
        then hit * ({{ sqlrec.double(n) }} - misses_so_far)
        else {{ sqlrec.double(0) }}
    end
) / nullif(
    {{ sqlrec.double(n) }} * {{ sqlrec.least(sqlrec.double(n), sqlrec.double('relevant_items')) }}, 0
)
{% if insufficient == 'exclude' %}
end
{% endif %}
{% endmacro %}
