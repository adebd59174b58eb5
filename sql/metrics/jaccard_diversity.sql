-- Jaccard diversity: 1 minus the Jaccard similarity of two items' categories, averaged over the
-- pairs of the list, from 0 to 1.
--
--           sum over pairs of  (categories of both) / (categories of either)
--     1 -  ------------------------------------------------------------------
--                    n * (n - 1) / 2  pairs,  n ranks within k
--
-- Two items without a category have nothing in common. Only pairs that share a category are formed,
-- but their number is quadratic in the length of a list.
--
-- Source    Jaccard 1912, doi.org/10.1111/j.1469-8137.1912.tb05611.x
-- Agrees    RecTools IntraListDiversity with these distances
-- Differs   scikit-learn and SciPy, where two items without a category are at distance 0
-- Undefined for a list with fewer than two items within k, which is excluded
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro paired__jaccard_diversity() %}
1 - 2 * sum(shared_above) / nullif(cast(list_length as double) * (list_length - 1), 0)
{% endmacro %}
