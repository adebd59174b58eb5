-- Described: one row per row of items, with the columns that metrics read, under standard names.
--
--   item_id   the item; a null in another column is a missing value
--   mispriced     1 if the price is null, NaN, below 0 or too large for sums, else 0
--   negative      1 if the distance is below 0, else 0
--   violations    broken rules: no item, a price or distance as above, or a number that is too
--                 large for sums
--
-- Item prices: one row per item, with its price.
--
-- Unpriced: one row per item with a needed price that items lacks or has several times.
--
-- Item categories: one row per item and category, even if items repeats the pair. An item without a
-- category has no row.
--
--   item_id, category
--   categories   number of categories of the item
--
-- Listed categories: one row per rank of a list and category of its item.
--
--   model, user_id, rank, category, categories
--   category_line   the rank, if an item takes a rank for each of its categories

{% macro item_features(plan) %}
{% set items = plan['items'] %}
{% if items %}
-- The rows of items.
item_attributes as (
    select {{ items.columns.item_id }} as item_id,
        {% for name in items.needed %}
        {{ sqlrec.with_alias(sqlrec.item_column(items, name, plan.audit) | trim, name) }},
        {% endfor %}
        {{ sqlrec.mispriced(items) if 'price' in items.needed else 0 }} as mispriced,
        {{ sqlrec.negative_distance(items) if 'distance' in items.needed else 0 }} as negative,
        case when {{ items.columns.item_id }} is null then 1 else 0 end
        {{- ' + ' ~ sqlrec.mispriced(items) if 'price' in items.needed }}
        {{- ' + ' ~ sqlrec.negative_distance(items) if 'distance' in items.needed }}
        {%- for name in items.needed if name in items.floating and name != 'price' %}
        + case
            when {{ items.columns[name] }} is null then 0
            when abs({{ sqlrec.item_column(items, name) }}) > 1e100 then 1
            else 0
        end
        {%- endfor %} as violations
    from {{ items.relation }}
),
{% endif %}
-- Each item's price, if it can be summed.
item_prices as (
    select item_id, max({{ 'case when mispriced = 0 then price end' if plan.audit else 'price' }}) as price
    from item_attributes
    group by item_id
),
-- Each item with each of its categories, and the number of its categories.
item_categories as (
    select item_id, category, count(*) over (partition by item_id) as categories
    from item_attributes
    where category is not null
    group by item_id, category
),
-- The categories of the item at each rank.
listed_categories as (
    select listed.model, listed.user_id, listed.rank, item_categories.category,
        cast(item_categories.categories as double) as categories,
        row_number() over (
            partition by listed.model, listed.user_id order by listed.rank asc, item_categories.category asc
        ) as category_line
    from listed
    join item_categories on item_categories.item_id = listed.item_id
),
{% endmacro %}

-- 1 if the price of a row is not a number that can be summed, else 0.
{% macro mispriced(items) -%}
case when {{ sqlrec.item_column(items, 'price') }} between 0 and 1e100 then 0 else 1 end
{%- endmacro %}

-- 1 if the distance of a row is below 0, else 0; a missing distance is excluded.
{% macro negative_distance(items) -%}
case when {{ sqlrec.item_column(items, 'distance') }} < 0 then 1 else 0 end
{%- endmacro %}

-- Items with a needed price that is missing or is in several rows.
{% macro unpriced(plan) %}
unpriced as (
    {%- if sqlrec.reads_price(plan, 'target_items') %}
    select relevant.item_id as item_id, 'items_unpriced' as violation, 1 as violations
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    where relevant.is_relevant > 0 and item_prices.price is null
    union all
    {%- endif %}
    {%- if sqlrec.reads_price(plan, 'recommended_items') %}
    select listed.item_id as item_id, 'items_unpriced' as violation, 1 as violations
    from listed
    left join item_prices on item_prices.item_id = listed.item_id
    where listed.rank <= {{ plan.cutoffs | max }} and item_prices.price is null
    union all
    {%- endif %}
    select item_id, 'items_twice' as violation, 1 as violations
    from item_attributes
    group by item_id
    having min(price) < max(price)
),
{% endmacro %}

-- True if a metric over a kind of rows reads prices.
{% macro reads_price(plan, rows) %}
{% for kind in plan.kinds if kind.name == rows %}
{% for metric in kind.metrics if 'price' in sqlrec.identifiers(sqlrec.part(metric)) %}{{ return(true) }}{% endfor %}
{% endfor %}
{{ return(false) }}
{% endmacro %}

-- A column of items. Numbers are doubles; if rows are checked, NaN becomes null.
{% macro item_column(items, name, audit=true) -%}
{%- if name not in items.floating -%} {{ items.columns[name] }}
{%- elif audit and items.floating[name] -%} {{ sqlrec.number(sqlrec.double(items.columns[name])) }}
{%- else -%} {{ sqlrec.double(items.columns[name]) }}
{%- endif -%}
{%- endmacro %}
