-- A relevance of true or false is not a grade.
{{ config(materialized='table') }}
select user_id, item_id, relevance > 0 as relevance from {{ ref('truth') }}
