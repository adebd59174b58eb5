-- A metric is not significantly worse than on the day before. The tested model contains the mean
-- over users and its standard error for each day, like the daily model in examples/dbt. Its columns
-- are day, model, metric, k, value and standard_error, and the columns of `by`.
--
-- For each model (and segment, if `by` names columns), the latest day is compared with the day
-- before. A metric is worse if it falls (or rises, if lower is better) by more than 1.96 standard
-- errors of the difference: its 95% interval excludes 0. The error is the root of the sum of both
-- squared errors. This assumes that
-- the users of the two days are different; if they are the same, the test is less strict. A day
-- with a single user has no standard error and is not tested. Fails with a row per metric that is
-- worse. Also fails if no row has the metric, and if a day has several rows, as for segments that
-- `by` does not name.
{% test metric_not_worse(model, metric, day='day', by=[], model_name=none) %}
{{ sqlrec.in_dialect(adapter.dispatch('test_metric_not_worse', 'sqlrec')(model, metric, day, by, model_name)) }}
{% endtest %}
{% macro default__test_metric_not_worse(model, metric, day, by, model_name) %}
{% set request = sqlrec.parse_single_metric(metric) %}
{% set day = sqlrec.identifier(day) %}
{% set groups = ['model'] %}
{% for name in ([by] if by is string else by) %}{% set _ = groups.append(sqlrec.identifier(name)) %}{% endfor %}
{% set groups = groups | join(', ') %}
with
numbered as (
    select
        {{ groups }}, {{ day }}, value, standard_error,
        row_number() over (partition by {{ groups }} order by {{ day }} desc) as days_ago
    from {{ model }}
    where {{ sqlrec.is_metric(request, model_name) }}
),
pairs as (
    select
        {{ groups }},
        max(case when days_ago = 1 then value end) as latest,
        max(case when days_ago = 2 then value end) as previous,
        sqrt(sum(standard_error * standard_error)) as standard_error,
        count(standard_error) as days,
        count(*) - count(distinct {{ day }}) as repeated_days
    from numbered
    where days_ago <= 2
    group by {{ groups }}
)
select model, latest, previous, standard_error
from pairs
where repeated_days > 0 or days = 2 and {{ sqlrec.improvement(request) }} < -1.959963984540054e0 * standard_error
union all
select 'no row' as model, cast(null as double) as latest, cast(null as double) as previous, cast(null as double) as standard_error
from (select count(*) as rows_found from pairs) as counted
where rows_found = 0
{% endmacro %}
