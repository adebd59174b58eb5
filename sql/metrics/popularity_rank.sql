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
-- Source    Celma & Herrera 2008, doi.org/10.1145/1454008.1454038, who rank items by popularity
-- Undefined for a user without list, who is left out
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__popularity_rank() %}
sum(items_above + 1) / list_length
{% endmacro %}
