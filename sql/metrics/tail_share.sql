-- Tail share: the share of the list's items that are in the long tail, from 0 to 1. Known as APLT,
-- the average percentage of long tail items.
--
--      ranks within k with an item of the long tail
--     ------------------------------------------------
--               length of the list within k
--
-- The head is the smallest set of most popular items with the share `head` of all interactions, or
-- of all items; the tail has the other items. Items with equal numbers of users are together in the
-- head or in the tail. With equals=by_id, they are ordered by id, and the head may end between
-- them. An item without history is in the tail. A user who had an item more than once counts once.
--
-- Source    Abdollahpouri et al. 2019, arxiv.org/abs/1901.07555
-- Agrees    Elliot APLT with equals=by_id, and ACLT if divide_by=nothing is added; WarpRec APLT
--           with equals=by_id and divide_by=k; RecBole TailPercentage with rarest = tail_ratio, if
--           its item numbers have the order of the ids
-- Params    head = 0.8 above 0 below 1: the share of interactions, or of items, that makes up the
--           head
--           of = interactions | items: whether `head` is a share of the interactions or of the
--           items
--           divide_by = list_length | k | nothing: the length of the list within k, the cutoff, or
--           nothing, for a number of items
--           equals = together | by_id: items with equal numbers of users are in the head together,
--           or in the order of their ids until the head is full
--           rarest = 0 from 0 to 1000000000: above 0, head and of are ignored and only items with
--           history are in the tail: up to 1, the tail is this share of them, with the fewest users
--           (ties by id), and at least one item; above 1, the tail is the items that at most this
--           many users had
-- Undefined for a user without a list, who is excluded
-- Aliases   aplt, long_tail_share
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__tail_share(head=0.8, of='interactions', divide_by='list_length', equals='together', rarest=0) %}
{% if rarest > 1 %}
{% set in_tail = 'item_users > 0 and item_users <= ' ~ sqlrec.double(rarest) %}
{% elif rarest > 0 %}
{% set in_tail = 'rarity_rank = 1 or rarity_rank <= history_items * ' ~ sqlrec.double(rarest) %}
{% endif %}
{% set above = {'interactions': 'pairs', 'items': 'items'}[of] ~ {'together': '_above', 'by_id': '_before'}[equals] %}
{% set above = above ~ ' / nullif(history_' ~ {'interactions': 'pairs', 'items': 'items'}[of] ~ ', 0)' %}
{% set whole = ' / ' ~ divide_by if divide_by != 'nothing' %}
{% if rarest > 0 %}
sum({{ sqlrec.indicator(in_tail) }}){{ whole }}
{% else %}
sum(case when {{ above }} < {{ sqlrec.double(head) }} then cast(0 as double) else cast(1 as double) end){{ whole }}
{% endif %}
{% endmacro %}
