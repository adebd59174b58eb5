-- Popularity count: how many users of the history had an item, averaged over the list, from 0 up.
-- Known as ARP, average recommendation popularity.
--
--      sum over the places within k of the users who had the item
--     ------------------------------------------------------------
--                     places of the list within k
--
-- An item without history counts 0.
--
-- Source    Yin et al. 2012, doi.org/10.14778/2311906.2311916
-- Agrees    Elliot ARP; RecBole AveragePopularity with count=events, for lists of k places
-- Params    count = users | events: an item counts by its users, or by its events
--           divide_by = list_length | k: the places of the list within k, or the cutoff
-- Undefined for a user without a list, who is left out
-- Aliases   arp, average_popularity
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__popularity_count(count='users', divide_by='list_length') %}
sum({{ 'item_users' if count == 'users' else 'item_events' }}) / {{ divide_by }}
{% endmacro %}
