-- A row per day, model, metric and cutoff, a batch a day. A run evaluates today and the three days before again, so
-- that late days and clicks count; `dbt run --event-time-start ... --event-time-end ...` evaluates older days.
{{ config(
    materialized='incremental',
    incremental_strategy='microbatch',
    event_time='day',
    batch_size='day',
    lookback=3,
    begin=first_day(),
    unique_key=['day', 'model', 'metric', 'k'] if target.type == 'postgres' else none
) }}

select
    day,
    model,
    metric,
    k,
    request,
    count(value) as users,
    avg(value) as value,
    stddev_samp(value) / sqrt(count(value)) as standard_error,
    max(violations) as violations
from (
{#- A list belongs to a user and a day, so a user can have a value for each day. #}
{{ sqlrec.per_user(
    'ndcg@10 recall@10',
    recs=ref('recent_recs'),
    truth=ref('recent_clicks'),
    by='day',
    columns={'user_id': ['user_id', 'day'], 'model': 'model', 'rank': 'rank'}
) }}
) as per_user
group by day, model, metric, k, request
