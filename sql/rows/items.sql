-- Described: one row per row of items, with the columns that metrics ask for, under their own names.
--
--   item_id   what; rows of other columns that are null say nothing of it
--   faults    1 where the item is missing

{% macro item_features(plan) %}
{% if plan['items'] %}
described as (
    {%- set columns = plan['items'].columns %}
    select
        {{ sqlrec.named(columns.item_id, 'item_id') }},
        {%- for name in plan['items'].needed %}
        {{ sqlrec.named(columns[name], name) }},
        {%- endfor %}
        case when {{ columns.item_id }} is null then 1 else 0 end as faults
    from {{ plan['items'].relation }}
),
{% endif %}
{% endmacro %}
