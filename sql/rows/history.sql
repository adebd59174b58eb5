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
--   history_pairs  number of distinct pairs of a user and an item in the history
--   history_events  number of events in the history

{% macro history(plan) %}
{#- Readers of a placeholder are removed. If a reader remains by mistake, the statement fails with this name. #}
{% set history = plan.history or {'relation': 'history_not_passed', 'columns': {'user_id': 'user_id', 'item_id': 'item_id'}} %}
{% set user_id, item_id = history.columns.user_id, history.columns.item_id %}
-- The items of each user's history.
interactions as (
    select {{ user_id }} as user_id, {{ item_id }} as item_id,
        count(*) as events,
        case when {{ user_id }} is null or {{ item_id }} is null then count(*) else 0 end as violations
    from {{ history.relation }}
    group by {{ user_id }}, {{ item_id }}
),
-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users, sum(events) as item_events
    from interactions
    group by item_id
),
-- The size of the history.
history_counts as (
    select count(distinct user_id) as history_users, count(distinct item_id) as history_items,
        count(*) as history_pairs, sum(events) as history_events
    from interactions
),
{% endmacro %}
