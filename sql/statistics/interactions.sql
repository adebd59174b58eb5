-- Differences from a baseline by segments of users, for many columns together. One row per model,
-- column, and value or bin of numbers.
--
--   column_number  the number of the column in plan.searched, from 1; 0 is all users
--   segment        the value as text; for a bin, its number, from 0
--   users          number of users with a value for both models
--   difference     the mean of these users' differences
--   squares        the sum of squares around this mean
--   low, high      the smallest and the largest number of a bin
--
-- plan.searched contains, for each column, its label and whether its numbers are binned. plan.bins
-- is the number of bins, which have about the same number of users. Equal numbers are in the same
-- bin, which is the bin of their mean rank.
--
-- plan.past is the history, with its relation and columns, or none. The label past_size is the
-- number of a user's items in the history. plan.tastes contains columns of items. A user's value in
-- such a column is the most frequent value of the user's items, or the mean if values are numbers.
-- Ids are joined as text, since types may differ between tables.

{% macro interactions(plan) %}
{% set groups = 'partition by model, column_number, segment' %}
-- The differences from {{ plan.baseline_model }} by {{ plan.title }}, for each value of columns of
-- users.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
{{ sqlrec.past_of_users(plan) if plan.past }}
described_differences as (
    select
        differences.model as model, differences.difference as difference, differences.violations as violations
        {%- for segment in plan.by %},
        differences.{{ segment.label }} as {{ segment.label }}
        {%- endfor %}
        {%- if plan.past %},
        coalesce(past_sizes.items, 0) as past_size
        {%- endif %}
        {%- for taste in plan.tastes %},
        {{ taste.label }}.attribute as {{ taste.label }}
        {%- endfor %}
    from differences
    {%- for table in (['past_sizes'] if plan.past else []) + plan.tastes | map(attribute='label') | list %}
    left join {{ table }} on {{ table }}.user_id = {{ sqlrec.string('differences.user_id') }}
    {%- endfor %}
),
binned_differences as (
    select
        model, difference, violations
        {%- for column in plan.searched %},
        {{ column.label }}
        {%- if column.binned %}
        {%- set known = 'partition by model, case when ' ~ column.label ~ ' is null then 1 else 0 end' %},
        case
            when {{ column.label }} is not null
            then floor(
                (
                    rank() over ({{ known }} order by {{ column.label }} asc) - 1
                    + count(*) over ({{ known }}, {{ sqlrec.part_of(column.label) }}) / cast(2 as double)
                ) * {{ plan.bins }} / count(*) over ({{ known }})
            )
        end as {{ column.label }}_bin
        {%- endif %}
        {%- endfor %}
    from described_differences
),
column_numbers as (
    select 0 as column_number
    {%- for _ in plan.searched %}
    union all
    select {{ loop.index }} as column_number
    {%- endfor %}
),
segmented_differences as (
    select
        binned_differences.model as model,
        binned_differences.difference as difference,
        binned_differences.violations as violations,
        column_numbers.column_number as column_number,
        case column_numbers.column_number
            when 0 then {{ sqlrec.string('null') }}
            {%- for column in plan.searched %}
            when {{ column.number }} then {{ sqlrec.string('binned_differences.' ~ column.label ~ ('_bin' if column.binned else '')) }}
            {%- endfor %}
        end as segment,
        case column_numbers.column_number
            when 0 then cast(null as double)
            {%- for column in plan.searched if column.binned %}
            when {{ column.number }} then {{ sqlrec.double('binned_differences.' ~ column.label) }}
            {%- endfor %}
        end as amount
    from binned_differences
    cross join column_numbers
),
centered_differences as (
    select
        model, column_number, segment, difference, amount, violations,
        favg(difference) over ({{ groups }}) as mean_difference
    from segmented_differences
)
select
    model, column_number, segment,
    count(*) as users,
    max(mean_difference) as difference,
    sum((difference - mean_difference) * (difference - mean_difference)) as squares,
    min(amount) as low,
    max(amount) as high,
    max(violations) as violations
from centered_differences
group by model, column_number, segment
order by model asc, column_number asc, segment asc
{{ sqlrec.ending() }}
{% endmacro %}

-- Each user's number of past items, and for each column of plan.tastes the most frequent value, or the mean of numbers.
{% macro past_of_users(plan) %}
{%- set columns = plan.past.columns %}
past_rows as (
    {%- if plan.past.unnest %}
    {{- sqlrec.unnested(sqlrec.with_alias(columns.user_id, 'user_id'), columns.item_id, 'rank', plan.past.relation) }}
    {%- else %}
    select {{ sqlrec.with_alias(columns.user_id, 'user_id') }}, {{ sqlrec.with_alias(columns.item_id, 'item_id') }}
    from {{ plan.past.relation }}
    {%- endif %}
),
past_items as (
    select distinct {{ sqlrec.string('user_id') }} as user_id, {{ sqlrec.string('item_id') }} as item_id from past_rows
),
past_sizes as (
    select user_id, count(*) as items from past_items group by user_id
),
{%- for taste in plan.tastes %}
{{ taste.label }}_values as (
    select past_items.user_id as user_id, attributes.attribute as attribute
    from past_items
    join (
        select {{ sqlrec.string(taste.item_id) }} as item_id, {{ sqlrec.with_alias(taste.column, 'attribute') }} from {{ taste.relation }}
    ) as attributes on attributes.item_id = past_items.item_id
    where attributes.attribute is not null
),
{%- if taste.binned %}
{{ taste.label }} as (
    select user_id, favg(cast(attribute as double)) as attribute from {{ taste.label }}_values group by user_id
),
{%- else %}
{{ taste.label }}_counts as (
    select user_id, attribute, count(*) as items from {{ taste.label }}_values group by user_id, attribute
),
{{ taste.label }}_ranks as (
    select
        user_id, attribute,
        row_number() over (partition by user_id order by items desc, {{ sqlrec.by_text('asc', 'attribute') }}) as rank
    from {{ taste.label }}_counts
),
{{ taste.label }} as (
    select user_id, attribute from {{ taste.label }}_ranks where rank = 1
),
{%- endif %}
{%- endfor %}
{% endmacro %}

-- One row with the number of rows of a table, and the number of distinct values in each column,
-- including null.
{% macro value_counts(plan) %}
select
    count(*) as row_count
    {%- for column in plan.columns %},
    count(distinct {{ column }}) + max(case when {{ column }} is null then 1 else 0 end) as values_{{ loop.index }}
    {%- endfor %}
from {{ plan.relation }}
{{ sqlrec.ending() }}
{% endmacro %}
