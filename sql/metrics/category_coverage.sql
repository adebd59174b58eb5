-- Category coverage: the number of different categories in the list, per rank or as a share of all
-- categories, at least 0.
--
--      categories of the items within k
--     ----------------------------------
--                    k
--
-- As a share of all categories, it is from 0 to 1; per rank, it exceeds 1 if items have many
-- categories. An item without a category adds 0.
--
-- Source    RePlay 0.22, github.com/sb-ai-lab/RePlay
-- Agrees    RePlay CategoricalDiversity with ranks=categories, over lists with categories in
--           place of items
-- Params    divide_by = k | list_length | categories: the cutoff, the length of the list within k,
--           or all categories in items
--           ranks = items | categories: whether an item takes one of the k ranks, or one rank for
--           each of its categories
-- Undefined for a user without a list, who is excluded; for all users if divide_by is categories
--           and no item has one
-- Aliases   categorical_diversity
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro list_categories__category_coverage(divide_by='k', ranks='items') %}
{% set found = 'count(case when category_line <= k then 1 end)' if ranks == 'categories' else 'count(category)' %}
{{ sqlrec.double(found) }} / {{ 'nullif(all_categories, 0)' if divide_by == 'categories' else divide_by }}
{% endmacro %}
