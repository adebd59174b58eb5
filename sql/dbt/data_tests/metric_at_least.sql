-- Tests that a metric is at least a given value in every row of an evaluation: for every model and
-- segment, or for the rows that model_name and the config `where` select. The metric is written as
-- in other requests, such as 'ndcg@10'. Fails with a row per value that is lower or null, and if no
-- row is selected.
{% test metric_at_least(model, metric, at_least, model_name=none) %}
{{ sqlrec.in_dialect(adapter.dispatch('test_metric_at_least', 'sqlrec')(model, metric, at_least, model_name)) }}
{% endtest %}
{% macro default__test_metric_at_least(model, metric, at_least, model_name) %}
{% set request = sqlrec.parse_single_metric(metric) %}
{#- It is pasted into the statement. -#}
{% set is_number = at_least is number and at_least is not boolean and -1e308 <= at_least and at_least <= 1e308 %}
{{ sqlrec.require(is_number, 'test_number', name='at_least', value=at_least) }}
with found as (
    select model, metric, k, value
    from {{ model }}
    where {{ sqlrec.is_metric(request, model_name) }}
)
select model, metric, k, value from found where value is null or value < {{ sqlrec.double(at_least) }}
union all
select 'no row' as model, {{ sqlrec.text(request.label) }} as metric, {{ sqlrec.cutoff(request) }} as k, cast(null as double) as value
from (select count(*) as rows_found from found) as counted
where rows_found = 0
{% endmacro %}
