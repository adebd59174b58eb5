-- Truth Jaccard: the number of items that are both shown and relevant, divided by the number of
-- items that are shown or relevant, from 0 to 1.
--
--                     hits within k
--     -----------------------------------------------
--      ranks within k + relevant items not within k
--
-- Source    Jaccard 1912, doi.org/10.1111/j.1469-8137.1912.tb05611.x
-- Agrees    scikit-learn jaccard_score
-- Differs   list_jaccard, which compares two lists
-- Undefined for a user without a list and without a relevant item
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__truth_jaccard() %}
sum(hit) / nullif(cast(list_length + relevant_items as double) - sum(hit), 0)
{% endmacro %}
