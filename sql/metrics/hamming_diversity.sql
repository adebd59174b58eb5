-- Hamming diversity: the number of categories in which two items of the list differ, averaged over
-- the pairs of the list, at least 0.
--
--      sum over categories of  (ranks with it) * (ranks without it)
--     -----------------------------------------------------------------
--                n * (n - 1) / 2  pairs,  n ranks within k
--
-- The distance between two items is the number of categories that one has and the other does not
-- have. An item without a category differs in each category of the other item. The cost is linear
-- in the length of a list, since no pairs are formed.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools IntraListDiversity with PairwiseHammingDistanceCalculator, over 0/1 columns of
--           categories, for lists of at least two items
-- Differs   RecTools, which counts a list of one item as 0 and excludes items without a row
-- Undefined for a list with fewer than two items within k, which is excluded
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro list_categories__hamming_diversity() %}
2 * sum(category_items * (list_length - category_items))
/ nullif(cast(list_length as double) * (list_length - 1), 0)
{% endmacro %}
