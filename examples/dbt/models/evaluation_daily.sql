-- A row per day, model, metric and cutoff. A run evaluates the days after the last one that is here and
-- appends them; `dbt build --full-refresh` evaluates all.
{{ config(materialized='incremental', incremental_strategy='append') }}

{#- Who comes back on another day is evaluated on each: a list is of a user and a day. #}
{%- set lists = "(select *, cast(day as varchar) || ' ' || user_id as user_day from " %}
{%- set new_days %}
{%- if is_incremental() %} where day > (select coalesce(max(day), cast('1970-01-01' as date)) from {{ this }}){% endif %}
{%- endset %}

select
    day,
    model,
    metric,
    k,
    asked,
    count(value) as users,
    avg(value) as value,
    stddev_samp(value) / sqrt(count(value)) as standard_error,
    max(faults) as faults
from (
{{ sqlrec.per_user(
    'ndcg@10 recall@10',
    recs=lists ~ source('shop', 'recs') ~ new_days ~ ') as new_recs',
    truth=lists ~ source('shop', 'clicks') ~ new_days ~ ') as new_clicks',
    by='day',
    columns={'user_id': 'user_day', 'model': 'model', 'rank': 'rank'}
) }}
) as per_user
group by day, model, metric, k, asked
