-- Category entropy: how evenly the list is spread over categories, in bits, at least 0.
--
--      - sum over categories of  p * log2(p)
--
--      p = (ranks within k with the category + smoothing) / the sum of these over all categories
--
-- It is 0 if all items have the same single category, and log2(c) if c categories are equally
-- frequent. An item with two categories counts in both; an item without a category does not count.
--
-- Source    Shannon 1948, doi.org/10.1002/j.1538-7305.1948.tb01338.x
-- Agrees    SciPy entropy with base=2, of the counts; LensKit entropy with smoothing=0.000001
-- Params    smoothing = 0 from 0 to 1000000: the number added to the ranks of each category in
--           items, whether or not the list shows it
-- Undefined for a list without a category within k, which is excluded, unless smoothing is above 0
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(category)
{% macro list_categories__category_entropy(smoothing=0) %}
{% if smoothing %}
{% set added = sqlrec.double(smoothing) %}
{% set whole = '(category_ranks + all_categories * ' ~ added ~ ')' %}
{#- The categories in the list, and the categories that are not in it, which all have the same share. #}
sum(
    case
        when category_items > 0
        then (category_items + {{ added }}) / {{ whole }} * {{ sqlrec.log2(whole ~ ' / (category_items + ' ~ added ~ ')') }}
        else cast(0 as double)
    end
)
+ max(
    {{ added }} / nullif({{ whole }}, 0) * {{ sqlrec.log2('nullif(' ~ whole ~ ', 0) / ' ~ added) }}
) * (all_categories - sum(cast(case when category_items > 0 then 1 else 0 end as double)))
{% else %}
sum(
    category_items / nullif(category_ranks, 0)
    * log2(category_ranks / nullif(category_items, 0))
)
{% endif %}
{% endmacro %}
