-- Accuracy: the share of the catalog's items that are both shown and relevant, or neither shown nor
-- relevant, from 0 to 1.
--
--      hits + items of the catalog that are not shown within k and not relevant
--     --------------------------------------------------------------------------
--                           items of the catalog
--
-- With a large catalog, accuracy is near 1 for any list. Every item that is shown or relevant is
-- assumed to be in the catalog.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools Accuracy with shown=k
-- Params    shown = list_length | k: how many ranks count as shown: the ranks of the list within k,
--           or always k. With k, an empty rank is a miss
-- Undefined if the catalog has fewer items than are shown or relevant; with shown=k, only if the
--           catalog is empty; the value is then below 0 if the catalog is too small
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth, catalog
{% macro hits__accuracy(shown='list_length') %}
{% if shown == 'k' %}
1 - (k + relevant_items - 2 * sum(hit)) / nullif(catalog_items, 0)
{% else %}
case
    when catalog_items >= list_length + relevant_items - sum(hit) and catalog_items > 0
    then 1 - (list_length + relevant_items - 2 * sum(hit)) / catalog_items
end
{% endif %}
{% endmacro %}
