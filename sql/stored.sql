-- Results and per-user values that one statement writes to a table of DuckDB. Later statements read
-- this table instead of the inputs. plan.stored is the name of the table. The column part is
-- `results` or a kind of rows, and the column with this name contains the row.

{% macro stored_values(plan) %}
{{ sqlrec.rows_by_rules(plan, 'results') }}
select 'results' as part, results from results
{%- for kind in plan.kinds if kind.per_user %}
union all by name
select '{{ kind.name }}' as part, {{ kind.name }}_values as {{ kind.name }} from {{ kind.name }}_values
{%- endfor %}
{{ sqlrec.ending() }}
{% endmacro %}

-- The results of the metrics of a plan, as `evaluation` returns them.
{% macro stored_results(plan) %}
select {{ sqlrec.result_columns(plan, 'results') }}
from ({{ sqlrec.stored_part(plan, 'results') }}) as results
where false
    {%- for kind in plan.kinds %}
    {%- for metric in kind.metrics %}
    or (metric = '{{ metric.label }}' and coalesce(k, {{ plan.whole_list }}) in ({{ metric.cutoffs | join(', ') }}))
    {%- endfor %}
    {%- endfor %}
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

{% macro stored_part(plan, part) %}select unnest({{ part }}) from {{ plan.stored }} where part = '{{ part }}'{% endmacro %}

{% macro read_values(plan, kind) %}
{{ kind.name }}_values as ({{ sqlrec.stored_part(plan, kind.name) }}),
{%- endmacro %}

{% macro read_violations(plan) %}
violation_counts as (select max(violations) as violations from ({{ sqlrec.stored_part(plan, 'results') }}) as results),
{% endmacro %}

-- The per-user values in the table plan.user_results. Segments have the plan's names.
{% macro paired_results(plan) %}
with
user_results as (
    select
        model,
        {%- for segment in plan.by %}
        {{ segment.name }} as {{ segment.label }},
        {%- endfor %}
        user_id, metric, k, value, cast(0 as bigint) as violations
    from {{ plan.user_results }}
)
{%- endmacro %}
