-- Interactions: one row per row of the history, which may repeat a user and item.
--
--   user_id        the user
--   item_id        the item
--   events         number of events
--   violations     rows without user or item
--
-- Item counts: one row per item of the history.
--
--   item_id        the item
--   item_users     number of users with the item
--   item_events    number of events of the item
--
-- History counts: one row.
--
--   history_users  number of users in the history
--   history_items  number of items in the history
--   history_pairs  number of different pairs of a user and an item in the history
--   history_events  number of events in the history

{% macro history(plan, used) %}
{% if plan.history and sqlrec.some_of(['interactions', 'item_counts', 'history_counts'], used) %}
-- The items of each user's history.
interactions as (
    {%- if not plan.audit and not sqlrec.some_of(['events', 'item_events', 'history_events'], used) %}
    select distinct {{ sqlrec.named(plan.history.columns.user_id, 'user_id') }}, {{ sqlrec.named(plan.history.columns.item_id, 'item_id') }}
    from {{ plan.history.relation }}
    {%- else %}
    select
        {{ sqlrec.named(plan.history.columns.user_id, 'user_id') }},
        {{ sqlrec.named(plan.history.columns.item_id, 'item_id') }},
        count(*) as events
        {%- if plan.audit %},
        case
            when {{ plan.history.columns.user_id }} is null or {{ plan.history.columns.item_id }} is null
            then count(*)
            else 0
        end as violations
        {%- endif %}
    from {{ plan.history.relation }}
    group by {{ plan.history.columns.user_id }}, {{ plan.history.columns.item_id }}
    {%- endif %}
),
{% if 'item_counts' in used %}
-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users{{ ', sum(events) as item_events' if plan.audit or 'item_events' in used }}
    from interactions
    group by item_id
),
{% endif %}
{% if 'history_counts' in used %}
-- The size of the history.
history_counts as (
    {%- set columns %}
    count(distinct user_id) as history_users,
    count(distinct item_id) as history_items,
    count(*) as history_pairs,
    sum(events) as history_events,
    {%- endset %}
    select {{ sqlrec.entries(columns, used) }}
    from interactions
),
{% endif %}
{% endif %}
{% endmacro %}
