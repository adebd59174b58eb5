-- Catalogued: one row per row of the catalog, which may repeat items.
--
--   item_id   the item
--   violations    rows without item
--
-- Catalog counts: one row.
--
--   catalog_items   number of items in the catalog

{% macro catalog(plan, used) %}
{{ sqlrec.no_catalog() if not plan.catalog }}
{% if plan.catalog and sqlrec.some_of(['catalog_rows', 'catalog_counts'], used) %}
{% if plan.audit or 'catalog_rows' in used %}
-- The catalog's items.
catalog_rows as (
    {%- if plan.audit %}
    select
        {{ sqlrec.named(plan.catalog.columns.item_id, 'item_id') }},
        case when {{ plan.catalog.columns.item_id }} is null then count(*) else 0 end as violations
    from {{ plan.catalog.relation }}
    group by {{ plan.catalog.columns.item_id }}
    {%- else %}
    select distinct {{ sqlrec.named(plan.catalog.columns.item_id, 'item_id') }}
    from {{ plan.catalog.relation }}
    {%- endif %}
),
{% endif %}
{% if 'catalog_counts' in used %}
-- The number of items in the catalog.
catalog_counts as (
    {%- if plan.audit or 'catalog_rows' in used %}
    select count(*) as catalog_items
    from catalog_rows
    {%- else %}
    select count(distinct {{ plan.catalog.columns.item_id }}) as catalog_items
    from {{ plan.catalog.relation }}
    {%- endif %}
),
{% endif %}
{% endif %}
{% endmacro %}

{% macro no_catalog() %}
catalog_counts as (
    select cast(null as bigint) as catalog_items
),
{% endmacro %}
