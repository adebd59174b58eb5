-- Popularity count: how many users of the history had an item, averaged over the list, from 0 up.
-- Known as ARP, average recommendation popularity.
--
--      sum over the places within k of the users who had the item
--     ------------------------------------------------------------
--                     places of the list within k
--
-- An item without history counts 0, or is left out.
--
-- Source    Yin et al. 2012, doi.org/10.14778/2311906.2311916
-- Agrees    Elliot ARP; RecBole AveragePopularity with count=events, for lists of k places;
--           Evidently PopularityBiasMetric with without_history=omit
-- Params    count = users | events: an item counts by its users, or by its events
--           divide_by = list_length | k: the places of the list within k, or the cutoff
--           without_history = zero | omit: an item without history counts 0, or is left out, of the
--           places of the list too
-- Undefined for a user without a list, who is left out, and with without_history=omit for one whose
--           list has no item of the history
-- Aliases   arp, average_popularity
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__popularity_count(count='users', divide_by='list_length', without_history='zero') %}
sum({{ 'item_users' if count == 'users' else 'item_events' }}) / {{ sqlrec.places_counted(divide_by, without_history) }}
{% endmacro %}
