-- Popularity rank: the rank of an item by popularity in the history, 1 for the most popular,
-- averaged over the list, at least 1.
--
--      sum over the ranks within k of  1 + (items that more users had)
--     ------------------------------------------------------------------
--                        length of the list within k
--
-- Items with equal numbers of users share the best of their ranks: 1, 2, 2, 4. An item without
-- history ranks below all items with history.
--
-- With unit=quantile, it is from 0 to 1, and near 1 for the most popular item: the rank counted
-- from the least popular item (items with equal numbers of users share their mean rank), divided by
-- the number of items in the history. An item without history counts as 0.
--
-- Source    Celma & Herrera 2008, doi.org/10.1145/1454008.1454038, who rank items by popularity
-- Agrees    unit=quantile: LensKit MeanPopRank
-- Params    unit = rank | quantile: the rank from the top, or the quantile
-- Undefined for a user without a list, who is excluded; with unit=quantile also if the history
--           is empty
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__popularity_rank(unit='rank') %}
{% if unit == 'quantile' %}
sum(1 - (items_above + items_beside / 2) / nullif(history_items, 0)) / list_length
{% else %}
sum(items_above + 1) / list_length
{% endif %}
{% endmacro %}
