-- Popularity share: the share of the history's users who had an item, averaged over the list, from
-- 0 to 1.
--
--      sum over the ranks within k of  (users who had the item) / (users of the history)
--     ------------------------------------------------------------------------------------
--                              length of the list within k
--
-- An item without history counts as 0. A user who had an item more than once counts once, unless
-- count=events.
--
-- Source    Zhou et al. 2010, doi.org/10.1073/pnas.1000488107, there as a number of users
-- Agrees    rs_metrics popularity; RecTools AvgRecPopularity(normalize=True) with count=events
-- Params    count = users | events: the share of the history's users who had the item, or the
--           item's share of its events
--           divide_by = list_length | k: the length of the list within k, or the cutoff
-- Undefined for a user without a list, who is excluded, and if the history is empty
-- Aliases   popularity
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__popularity_share(count='users', divide_by='list_length') %}
sum(item_{{ count }} / nullif(history_{{ count }}, 0)) / {{ divide_by }}
{% endmacro %}
