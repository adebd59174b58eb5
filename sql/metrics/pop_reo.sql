-- PopREO, popularity-based ranking-based equal opportunity: how unequal recall is for popular and
-- other items, from 0 to 1. At 0, relevant items of both groups are equally likely to be shown; at
-- 1, only items of one group are ever found.
--
--      |found(head) - found(tail)|                 hits within k that are in g, of all users
--     ----------------------------- ,  found(g) = --------------------------------------------
--       found(head) + found(tail)                  relevant items that are in g, of all users
--
-- For two groups this is the standard deviation divided by the mean. Users without a list do not
-- count. The head has the most popular items, by users of the history, up to the item with which
-- they reach the share `head` of all pairs of a user and an item; the tail has the other items.
-- Items of equal popularity are ordered by id. Items without history are in neither group.
--
-- Source    Zhu et al. 2020, doi.org/10.1145/3397271.3401177; the head of Elliot 0.3.1
-- Agrees    Elliot PopREO, if no relevant item is in the user's history
-- Params    head = 0.8 above 0 below 1: the share of the history's pairs that makes up the head
-- Undefined if either group has no relevant item, or no relevant item is found
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, history
{% macro item_exposure__pop_reo(head=0.8) %}
{% set head = 'in_head_' ~ sqlrec.in_name(head) %}
{% set popular = 'sum(' ~ head ~ ' * hits) / nullif(sum(' ~ head ~ ' * relevant_pairs), 0)' %}
{% set other = 'sum((1 - ' ~ head ~ ') * hits) / nullif(sum((1 - ' ~ head ~ ') * relevant_pairs), 0)' %}
abs({{ popular }} - {{ other }}) / nullif({{ popular }} + {{ other }}, 0)
{% endmacro %}
