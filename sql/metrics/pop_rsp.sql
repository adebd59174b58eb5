-- PopRSP, popularity-based ranking-based statistical parity: how unequally the lists show popular
-- and other items, from 0 to 1. At 0, items of both groups are equally likely to be shown; at 1,
-- only items of one group are shown.
--
--      |shown(head) - shown(tail)|                 ranks within k that have an item of g, of all users
--     ----------------------------- ,  shown(g) = ------------------------------------------------------
--       shown(head) + shown(tail)                  items of g that the user has not had, of all users
--
-- For two groups this is the standard deviation divided by the mean. Users without a list do not
-- count. The head has the most popular items, by users of the history, up to the item with which
-- they reach the share `head` of all pairs of a user and an item; the tail has the other items.
-- Items of equal popularity are ordered by id. Items without history are in neither group.
--
-- Source    Zhu et al. 2020, doi.org/10.1145/3397271.3401177; the head of Elliot 0.3.1
-- Agrees    Elliot PopRSP
-- Params    head = 0.8 above 0 below 1: the share of the history's pairs that makes up the head
-- Undefined if either group has no item that is new to some user, or no list shows an item of
--           either group
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, history
{% macro item_exposure__pop_rsp(head=0.8) %}
{% set head = 'in_head_' ~ sqlrec.in_name(head) %}
{% set popular = 'sum(' ~ head ~ ' * coalesce(lists, 0)) / nullif(sum(' ~ head ~ ' * candidates), 0)' %}
{% set other = 'sum((1 - ' ~ head ~ ') * coalesce(lists, 0)) / nullif(sum((1 - ' ~ head ~ ') * candidates), 0)' %}
abs({{ popular }} - {{ other }}) / nullif({{ popular }} + {{ other }}, 0)
{% endmacro %}
