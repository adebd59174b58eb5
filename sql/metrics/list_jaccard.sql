-- List Jaccard: the number of items that are in both of two lists for the same user, divided by the
-- number of items in either list, from 0 to 1.
--
--        items within k of both lists
--     -----------------------------------
--      items within k of one or the other
--
-- The other list is the baseline's. If the baseline has no list for the user, the value is 0.
--
-- Source    Jaccard 1912, doi.org/10.1111/j.1469-8137.1912.tb05611.x
-- Undefined for a user without a list, who is excluded
-- Aliases   jaccard
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro recommended_items__list_jaccard() %}
sum(expected) / (list_length + baseline_length - sum(expected))
{% endmacro %}
