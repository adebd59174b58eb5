-- Popularity rank: the rank of an item among all of the history, the most popular being the first,
-- on average over the list, from 1 up.
--
--      sum over the places within k of  1 + (items that more users had)
--     ------------------------------------------------------------------
--                        places of the list within k
--
-- Items that as many users had share a rank, that of the first of them: 1, 2, 2, 4. An item without
-- history comes after all that have one.
--
-- As a quantile it is from 0 to 1, the most popular being near 1: the rank from below, items that as
-- many users had sharing the mean of theirs, divided by the items of the history. An item without
-- history has 0.
--
-- Source    Celma & Herrera 2008, doi.org/10.1145/1454008.1454038, who rank items by popularity
-- Agrees    unit=quantile: LensKit MeanPopRank
-- Params    unit = place | quantile: the rank from the top, or the quantile
-- Undefined for a user without a list, who is left out; as a quantile also where the history is empty
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__popularity_rank(unit='place') %}
{% if unit == 'quantile' %}
sum(1 - (items_above + items_beside / 2) / nullif(history_items, 0)) / list_length
{% else %}
sum(items_above + 1) / list_length
{% endif %}
{% endmacro %}
