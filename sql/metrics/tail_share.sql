-- Tail share: the share of the list that are long-tail items, from 0 to 1. Known as APLT, the
-- average percentage of long tail items.
--
--      places within k whose item is in the long tail
--     ------------------------------------------------
--               places of the list within k
--
-- The head has the most popular items, as few as reach the share `head` of all interactions, or of
-- the items; the tail has the others. Items with equally many users are in the head or in the tail
-- together. An item without history is in the tail. A user who had an item more than once counts
-- once.
--
-- Source    Abdollahpouri et al. 2019, arxiv.org/abs/1901.07555
-- Agrees    Elliot APLT, and ACLT divided by k, except for items as popular as the last of the
--           head; RecBole TailPercentage with of=items and head = 1 - tail_ratio, except for such
--           items, and for items without history, which are not in its tail
-- Params    head = 0.8 above 0 below 1: the share that the head has
--           of = interactions | items: what head is a share of
--           divide_by = list_length | k: the places of the list within k, or the cutoff
-- Undefined for a user without a list, who is left out
-- Aliases   aplt, long_tail_share
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__tail_share(head=0.8, of='interactions', divide_by='list_length') %}
{% set above = 'pairs_above / nullif(history_pairs, 0)' if of == 'interactions' else 'items_above / nullif(history_items, 0)' %}
sum(case when {{ above }} < {{ sqlrec.double(head) }} then {{ sqlrec.double(0) }} else {{ sqlrec.double(1) }} end) / {{ divide_by }}
{% endmacro %}
