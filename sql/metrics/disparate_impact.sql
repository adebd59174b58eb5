-- Disparate impact: how evenly the relevant items of groups are found, from 0 to 1. At 1, relevant
-- items of all groups are equally likely to be shown; at 0, the relevant items of at least one
-- group are never shown.
--
--      min of  found(g)  over the groups g                 hits within k that are in g, of all users
--     ------------------------------------- ,  found(g) = -------------------------------------------
--      max of  found(g)  over the groups g                 relevant items that are in g, of all users
--
-- Only users with a list count, and all ranks within k have equal weight. Groups without a relevant
-- item are excluded.
--
-- Source    Singh & Joachims 2018, doi.org/10.1145/3219819.3220088: clicks per merit; the smallest
--           value of a group divided by the largest, as in the four-fifths rule
-- Differs   reo, the standard deviation of found(g) divided by its mean
-- Undefined if no relevant item is found, or no group has one
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, items(item_group)
{% macro group_exposure__disparate_impact() %}
min(found_rate) / nullif(max(found_rate), 0)
{% endmacro %}
