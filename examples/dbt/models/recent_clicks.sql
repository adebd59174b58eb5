{{ config(materialized='view', event_time='day') }}
select {{ moved_day() }} as day, user_id, item_id from {{ source('shop', 'clicks') }}
