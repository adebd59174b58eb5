-- Bpref: how far relevant items rank above items that were judged irrelevant, from 0 to 1. Items
-- without a judgment are ignored.
--
--        sum over the hits within k of  1 - min(above, R) / min(N, R)
--     ------------------------------------------------------------------
--                                   R
--
-- R is the number of the user's relevant items, N the number of items judged not relevant, and
-- `above` the number of those N items that are above the hit. A hit without such an item above
-- counts as 1. Items with a grade below 0 are ignored too, unless the grade makes them relevant.
--
-- Source    Buckley & Voorhees 2004, doi.org/10.1145/1008992.1009000, with the min(N, R) of
--           trec_eval
-- Agrees    trec_eval bpref; ir_measures Bpref; ranx bpref with without_nonrelevant=undefined
-- Differs   the paper, which divides by R
-- Params    without_nonrelevant = recall | undefined: the value of a list with a hit if no item
--           is judged not relevant: the recall, or undefined
-- Undefined for a user without a relevant item, and if without_nonrelevant=undefined
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__bpref(without_nonrelevant='recall') %}
{% if without_nonrelevant == 'undefined' %}
case when nonrelevant_items > 0 or sum(hit) = 0 then
{% endif %}
sum(
    case
        when judged_so_far > hits_so_far
        then hit * (
            1 - least(judged_so_far - hits_so_far, cast(relevant_items as double))
            / nullif(least(nonrelevant_items, relevant_items), 0)
        )
        else hit
    end
) / nullif(relevant_items, 0)
{% if without_nonrelevant == 'undefined' %}
end
{% endif %}
{% endmacro %}
