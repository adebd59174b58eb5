-- A row per day, model, metric and cutoff, a batch a day. A run evaluates today and the three days before anew, so
-- that a day and clicks which arrive late count; older ones by `dbt run --event-time-start ... --event-time-end ...`.
{{ config(
    materialized='incremental',
    incremental_strategy='microbatch',
    event_time='day',
    batch_size='day',
    lookback=3,
    begin=first_day(),
    unique_key=['day', 'model', 'metric', 'k'] if target.type == 'postgres' else none
) }}

{#- Who comes back on another day is evaluated on each: a list is of a user and a day. #}
{%- set user_day = dbt.concat(['cast(day as ' ~ dbt.type_string() ~ ')', "' '", 'user_id']) %}
{%- set lists = '(select *, ' ~ user_day ~ ' as user_day from ' %}

select
    day,
    model,
    metric,
    k,
    asked,
    count(value) as users,
    avg(value) as value,
    stddev_samp(value) / sqrt(count(value)) as standard_error,
    max(violations) as violations
from (
{{ sqlrec.per_user(
    'ndcg@10 recall@10',
    recs=lists ~ ref('recent_recs') ~ ') as new_recs',
    truth=lists ~ ref('recent_clicks') ~ ') as new_clicks',
    by='day',
    columns={'user_id': 'user_day', 'model': 'model', 'rank': 'rank'}
) }}
) as per_user
group by day, model, metric, k, asked
