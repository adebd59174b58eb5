-- Compatibility: the rank-biased overlap of a list with the best list of the user's items, divided
-- by the overlap of the best list with itself, from 0 to 1.
--
--      sum over the depths d of  p^(d - 1) * (items of both lists within d) / d
--     --------------------------------------------------------------------------
--      sum over the depths d of  p^(d - 1) * (items of the best list within d) / d
--
-- The best list has the user's items with a grade above 0, from the highest to the lowest. Items
-- with equal grades keep the order of the user's list, so their order never lowers the value. Both
-- lists are cut at k, and depths go to the end of the longer one. The relevance threshold is
-- ignored.
--
-- Source    Clarke, Vtyurina & Smucker 2021, doi.org/10.1145/3451161
-- Agrees    ir_measures Compat; with divide_by=weights its Compat(normalize=False)
-- Differs   ir_measures Compat for items with equal scores and grades, and for scores of 0 or below
-- Params    p = 0.95 above 0 below 1: the probability of continuing from one depth to the next
--           divide_by = best | weights: the overlap of the best list with itself, or the sum of
--           p^(d - 1) over the depths
-- Undefined for a user without an item with a grade above 0
-- Aliases   compat
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro ideal_overlap__compatibility(p=0.95, divide_by='best') %}
{% set weight = 'weight_' ~ sqlrec.in_name(p) %}
{% if divide_by == 'best' %}
sum(overlap * {{ weight }}) / nullif(sum(best_overlap * {{ weight }}), 0)
{% else %}
case
    when max(best_overlap) > 0
    then sum(overlap * {{ weight }}) / sum(depth * {{ weight }})
end
{% endif %}
{% endmacro %}
