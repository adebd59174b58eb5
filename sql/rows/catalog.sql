-- Catalogued: one row per item of the catalog, which may repeat itself.
--
--   item_id   what
--   faults    rows without item

{% macro catalog(plan) %}
{% if plan.catalog %}
catalogued as (
    select
        {{ sqlrec.named(plan.catalog.columns.item_id, 'item_id') }},
        case when {{ plan.catalog.columns.item_id }} is null then count(*) else 0 end as faults
    from {{ plan.catalog.relation }}
    group by {{ plan.catalog.columns.item_id }}
),
{% endif %}
{% endmacro %}
