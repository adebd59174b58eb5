-- MCC: the Matthews correlation between being shown within k and being relevant, over the items of
-- the catalog, from -1 to 1.
--
--               TP * TN - FP * FN
--     ---------------------------------------
--      sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN))
--
-- TP are the hits, FP the other ranks within k, FN the other relevant items, and TN the remaining
-- items of the catalog. If a sum under the root is 0, the value is 0. Every item that is shown or
-- relevant is assumed to be in the catalog.
--
-- Source    Matthews 1975, doi.org/10.1016/0005-2795(75)90109-9
-- Agrees    RecTools MCC with shown=k
-- Params    shown = list_length | k: how many ranks count as shown: the ranks of the list within k,
--           or always k. With k, an empty rank is a miss
-- Undefined if the catalog has fewer items than are shown or relevant; with shown=k, if the product
--           under the root is below 0
-- Aliases   matthews_correlation
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth, catalog
{% macro hits__mcc(shown='list_length') %}
{% if shown == 'k' %}
{% set product %}cast(k as double) * relevant_items * (catalog_items - k) * (catalog_items - relevant_items){% endset %}
case
    when {{ product }} > 0
    then (sum(hit) * catalog_items - cast(k as double) * relevant_items)
        / nullif(sqrt(abs({{ product }})), 0)
    when {{ product }} = 0
    then cast(0 as double)
end
{% else %}
{% set value %}
(sum(hit) * catalog_items - cast(list_length as double) * relevant_items)
        / nullif(sqrt(
            cast(list_length as double) * relevant_items
            * abs(catalog_items - list_length) * abs(catalog_items - relevant_items)
        ), 0)
{% endset %}
case
    when catalog_items < list_length + relevant_items - sum(hit)
    then null
    when list_length = 0 or relevant_items = 0
        or catalog_items <= list_length or catalog_items <= relevant_items
    then cast(0 as double)
    else {{ sqlrec.greatest(sqlrec.at_most(value | trim, 1), -1) }}
end
{% endif %}
{% endmacro %}
