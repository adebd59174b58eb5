-- Described: one row per row of items, with the columns that metrics ask for, under their own names.
--
--   item_id   what; rows of other columns that are null say nothing of it
--   violations    broken rules: no item, a number that is too large to be added up
--
-- Item categories: one row per item and category of it, however often items says so. An item without
-- category has none.
--
--   item_id, category
--   categories   how many categories the item has
--
-- Listed categories: one row per place of a list and category of its item.
--
--   model, user_id, rank, category, categories

{% macro item_features(plan, used) %}
{% if plan['items'] and sqlrec.some_of(['item_attributes', 'item_categories', 'listed_categories'], used) %}
{% set items = plan['items'] %}
{% set listed = 'listed_categories' in used %}
{% if plan.audit or 'item_attributes' in used %}
item_attributes as (
    select
        {{ sqlrec.named(items.columns.item_id, 'item_id') }}
        {%- for name in items.needed %},
        {{ sqlrec.named(sqlrec.item_column(items, name), name) }}
        {%- endfor %}
        {%- if plan.audit %},
        case when {{ items.columns.item_id }} is null then 1 else 0 end
        {%- for name in items.needed if name in items.floating %}
        + case
            when {{ items.columns[name] }} is null then 0
            when abs({{ sqlrec.item_column(items, name) }}) > {{ sqlrec.double(1e100) }} then 1
            else 0
        end
        {%- endfor %} as violations
        {%- endif %}
    from {{ items.relation }}
),
{% endif %}
{% if listed or 'item_categories' in used %}
-- Each item's categories, with how many it has.
item_categories as (
    select
        item_id,
        category,
        count(*) over (partition by item_id) as categories
    from (
        {{ sqlrec.item_labels(plan, 'category') | trim | indent(4) }}
    ) as labels
),
{% endif %}
{% if listed %}
-- The categories of what stands at each place.
listed_categories as (
    select
        {{ sqlrec.taken(plan.list_keys, 'listed') }},
        listed.rank as rank,
        item_categories.category as category,
        {{ sqlrec.double('item_categories.categories') }} as categories
    from listed
    join item_categories on item_categories.item_id = listed.item_id
),
{% endif %}
{% endif %}
{% endmacro %}

-- Each item with each of its labels in a column, however often items says so: a query.
{% macro item_labels(plan, column) %}
    {%- if plan.audit %}
    select item_id, {{ column }}
    from item_attributes
    where {{ column }} is not null
    group by item_id, {{ column }}
    {%- else %}
    {%- set columns = plan['items'].columns %}
    select distinct {{ sqlrec.named(columns.item_id, 'item_id') }}, {{ sqlrec.named(columns[column], column) }}
    from {{ plan['items'].relation }}
    where {{ columns[column] }} is not null
    {%- endif %}
{% endmacro %}

-- A column of items; a number as a double, null where it is NaN.
{% macro item_column(items, name) -%}
{%- if name not in items.floating -%} {{ items.columns[name] }}
{%- elif items.floating[name] -%} {{ sqlrec.number(sqlrec.double(items.columns[name])) }}
{%- else -%} {{ sqlrec.double(items.columns[name]) }}
{%- endif -%}
{%- endmacro %}
