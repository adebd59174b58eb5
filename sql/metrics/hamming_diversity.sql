-- Hamming diversity: in how many categories two items of the list differ, on average over its pairs,
-- from 0 up.
--
--      sum over categories of  (places with it) * (places without it)
--     -----------------------------------------------------------------
--                n * (n - 1) / 2  pairs,  n places within k
--
-- The distance of two items is the number of categories that one has and the other has not. An item
-- without a category has none of them. Linear in the length of a list: no pairs are formed.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools IntraListDiversity with PairwiseHammingDistanceCalculator, over 0/1 columns of
--           categories, and lists of two items and more
-- Differs   RecTools, which counts 0 for a list of one item, as its convention has it, and leaves out
--           items without row
-- Undefined for a list with fewer than two places within k, which is left out
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro categorized__hamming_diversity() %}
2 * sum(category_items * (list_length - category_items))
/ nullif({{ sqlrec.double('list_length') }} * (list_length - 1), 0)
{% endmacro %}
