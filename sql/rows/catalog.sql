-- Catalogued: one row per row of the catalog, which may repeat items.
--
--   item_id   the item
--   violations    rows without item
--
-- Catalog counts: one row.
--
--   catalog_items   number of items in the catalog

{% macro catalog(plan) %}
{% set catalog = plan.catalog or {'relation': 'catalog_not_passed', 'columns': {'item_id': 'item_id'}} %}
{% set item_id = catalog.columns.item_id %}
-- The catalog's items.
catalog_rows as (
    select {{ item_id }} as item_id, case when {{ item_id }} is null then count(*) else 0 end as violations
    from {{ catalog.relation }}
    group by {{ item_id }}
),
-- The number of items in the catalog.
catalog_counts as (
    select count(item_id) as catalog_items
    from catalog_rows
),
{% endmacro %}
