-- Category coverage: how many different categories the list shows, for each of its places or as a share
-- of all there are, from 0 up.
--
--      categories of the items within k
--     ----------------------------------
--                    k
--
-- Of all categories it is a share from 0 to 1; by place it is above 1 where items have many. An item
-- without a category adds none.
--
-- Source    RePlay 0.22, github.com/sb-ai-lab/RePlay
-- Agrees    RePlay CategoricalDiversity, whose lists hold categories in place of items
-- Params    divide_by = k | list_length | categories: the cutoff, the places of the list within it, or
--           all categories of items
-- Undefined for a user without a list, who is left out; for all where divide_by is categories and no
--           item has one
-- Aliases   categorical_diversity
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro categorized__category_coverage(divide_by='k') %}
{% if divide_by == 'categories' %}
{{ sqlrec.double('count(category)') }} / nullif(all_categories, 0)
{% else %}
{{ sqlrec.double('count(category)') }} / {{ divide_by }}
{% endif %}
{% endmacro %}
