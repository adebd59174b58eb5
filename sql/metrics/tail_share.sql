-- Tail share: the share of the list that is of the long tail, from 0 to 1. Known as APLT, the
-- average percentage of long tail items.
--
--      places within k whose item is of the long tail
--     ------------------------------------------------
--               places of the list within k
--
-- An item is of the tail where the items that more users had hold the share `head` by themselves: 0.8
-- of all that was had, or that share of the items. So the head has just the most popular items that
-- reach the share. Items that as many users had are of the head or of the tail together. An item
-- without history is of the tail. A user who had an item more than once counts once.
--
-- Source    Abdollahpouri et al. 2019, arxiv.org/abs/1901.07555
-- Agrees    Elliot APLT, and ACLT divided by k, but for items as popular as the last of the head;
--           RecBole TailPercentage with of=items and head = 1 - tail_ratio, but for such items, and
--           for items without history, which are of no tail there
-- Params    head = 0.8 above 0 below 1: the share that the head holds
--           of = interactions | items: what it is a share of
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
