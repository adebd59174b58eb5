-- Disparate treatment: how evenly groups of items are shown relative to their merit, from 0 to 1.
-- At 1, all groups have the same exposure per relevant item; at 0, a group with relevant items has
-- no exposure.
--
--      min of  exposure(g) / merit(g)  over the groups g
--     ---------------------------------------------------
--      max of  exposure(g) / merit(g)  over the groups g
--
--     exposure(g)  sum of 1 / log2(rank + 1) over the ranks within k that have an item of g
--     merit(g)     relevant items that are in g, of all users with a list
--
-- For two groups this is the disparate treatment ratio or its inverse, whichever is at most 1. With
-- merit=items, it measures demographic parity: each item has the same merit. Groups without merit
-- are excluded.
--
-- Source    Singh & Joachims 2018, doi.org/10.1145/3219819.3220088; the smallest value of a group
--           divided by the largest, as in the four-fifths rule
-- Differs   disparate_impact, which counts hits instead of exposure
-- Params    merit = relevant | items: the relevant items of all users, or the items of the group
--           weight = rank | plain: 1 / log2(rank + 1), or 1 for each rank
-- Undefined if no group has both merit and exposure
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth if merit=relevant, items(item_group)
{% macro group_exposure__disparate_treatment(merit='relevant', weight='rank') %}
{% set gets = ('exposure' if weight == 'rank' else 'lists') ~ ' / nullif(' ~ ('relevant_pairs' if merit == 'relevant' else 'members') ~ ', 0)' %}
{% set rate = 'case when item_group is not null then ' ~ gets ~ ' end' %}
min({{ rate }}) / nullif(max({{ rate }}), 0)
{% endmacro %}
