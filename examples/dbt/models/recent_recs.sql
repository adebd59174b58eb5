{{ config(materialized='view', event_time='day') }}
select model, {{ moved_day() }} as day, user_id, item_id, {{ adapter.quote('rank') }} from {{ source('shop', 'recs') }}
