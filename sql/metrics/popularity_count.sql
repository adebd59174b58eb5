-- Popularity count: how many users of the history had an item, averaged over the list, at least 0.
-- Known as ARP, average recommendation popularity.
--
--      sum over the ranks within k of the users who had the item
--     ------------------------------------------------------------
--                     length of the list within k
--
-- An item without history counts as 0 or 1, or is excluded.
--
-- Source    Yin et al. 2012, doi.org/10.14778/2311906.2311916
-- Agrees    Elliot ARP; RecBole AveragePopularity with count=events, for lists of k items;
--           Evidently PopularityBiasMetric with without_history=omit, and with unit=most its
--           normalize_arp=True;
--           WarpRec ARP with without_history=once
-- Params    count = users | events: the number of users who had the item, or the number of its
--           events
--           unit = users | most: this number, or this number divided by the largest number of any
--           item, from 0 to 1
--           divide_by = list_length | k: the length of the list within k, or the cutoff
--           without_history = zero | once | omit: an item without history counts as 0, counts as 1
--           as if one user had it, or is excluded from the sum and the number of items
-- Undefined for a user without a list, who is excluded, and with without_history=omit for a list
--           without an item of the history
-- Aliases   arp, average_popularity
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__popularity_count(count='users', unit='users', divide_by='list_length', without_history='zero') %}
{% set had = 'item_users' if count == 'users' else 'item_events' %}
sum({{ sqlrec.history_count(had, 'cast(1 as double)') if without_history == 'once' else had }}) / {{ sqlrec.ranks_counted(divide_by, without_history) }}{{ ' / nullif(max(most_' ~ count ~ '), 0)' if unit == 'most' }}
{% endmacro %}
