-- Category entropy: how evenly the list is spread over categories, in bits, from 0 up.
--
--      - sum over categories of  p * log2(p)
--
--      p = places within k with the category / the sum of these over all categories
--
-- It is 0 where all items have the one same category, and log2(c) where c categories are equally
-- frequent. An item of two categories counts in both; an item without category in none.
--
-- Source    Shannon 1948, doi.org/10.1002/j.1538-7305.1948.tb01338.x
-- Agrees    SciPy entropy with base=2, of the counts
-- Differs   LensKit 2025.8 entropy, which adds 0.000001 to each count
-- Undefined for a list none of whose items within k has a category, which is left out
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro categorized__category_entropy() %}
sum(
    category_items / nullif(category_places, 0)
    * {{ sqlrec.log2('category_places / nullif(category_items, 0)') }}
)
{% endmacro %}
