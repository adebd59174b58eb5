-- Relevance of yes and no is no grade.
{{ config(materialized='table') }}
select user_id, item_id, relevance > 0 as relevance from {{ ref('truth') }}
