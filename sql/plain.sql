-- The last queries of a statement to paste. They return means without the counts of users that
-- evaluate adds.

-- One row per model, segment, metric and cutoff. If there is a single metric at a single cutoff,
-- rows do not name it, unless `named` is true because rows by other rules follow.
{% macro means(plan, named=false) %}
{% set columns = named or not plan.is_one %}
{% set queries = [] %}
{% for kind in plan.kinds %}
{#- Metrics that are means of per-user values. #}
{% set together = [] if kind.per_user else kind.metrics %}
{% for metric in kind.metrics if kind.per_user and plan.undefined != 'propagate' and sqlrec.kind_of_mean(metric) == 'plain' %}
{% set _ = together.append(metric) %}
{% endfor %}
{% set alone = (together if together | length == 1 else []) + kind.metrics | reject('in', together) | list %}
{% if together | length > 1 %}{% set _ = queries.append(sqlrec.means_of_several(plan, kind, together, named)) %}{% endif %}
{% for metric in alone %}{% set _ = queries.append(sqlrec.mean_of_one(plan, kind, metric, columns, named)) %}{% endfor %}
{% endfor %}
{{ queries | join('\nunion all\n') }}
{%- endmacro %}

-- The names of groups of values: entries of a select before other entries.
{% macro group_names(plan, named) -%}
{{ 'model, ' if 'model' in plan.list_keys else "'recs' as model, " if named }}
{%- for segment in plan.by %}{{ segment.name }} as {{ segment.label }}, {% endfor %}
{%- endmacro %}

{% macro mean_of_one(plan, kind, metric, columns, named) %}
select {{ sqlrec.group_names(plan, named) }}{% if columns %}'{{ metric.label }}' as metric, {{ plan.cutoff_column }},
    {% endif %}
    {%- if not kind.per_user -%}
    {{ metric.column }} as value, {{ sqlrec.users_of_value(plan, metric.column) }} as users
    {%- else -%}
    {{ sqlrec.null_if_any_null(plan, metric, ('avg(' ~ metric.column ~ ')' if sqlrec.kind_of_mean(metric) == 'plain' else sqlrec.summary(metric)) | trim | indent(4)) }} as value, count({{ metric.column }}) as users
    {{- ', ' ~ sqlrec.null_if_any_null(plan, metric, sqlrec.standard_error(metric) | trim | indent(4)) ~ ' as standard_error' if plan.errors }}
    {%- endif %}

from {{ kind.name }}_values
{{ sqlrec.where_cutoffs(metric, kind) }}
{{ 'group by ' ~ plan.groups | join(', ') if plan.groups and kind.per_user }}
{%- endmacro %}

-- The number of users of a value over all users: an expression. Resampling does not need it.
{% macro users_of_value(plan, value) -%}
cast({{ 'null' if plan.drawn else 'case when ' ~ value ~ ' is null then 0 else users_evaluated end' }} as bigint)
{%- endmacro %}

-- The columns of several metrics become rows. PostgreSQL would sort per-user values by metric, so there only the means
-- become rows.
{% macro means_of_several(plan, kind, metrics, named) %}
{% set groups, columns, where = plan.groups, metrics | map(attribute='column') | list, sqlrec.at_cutoffs_of_each(kind, metrics) | trim %}
{% if adapter.type() == 'postgres' and kind.per_user and not where %}
select {{ sqlrec.group_names(plan, named) }}unnest(array['{{ metrics | map(attribute='label') | join("', '") }}']) as metric, {{ plan.cutoff_column }},
    unnest(array[avg({{ columns | join('), avg(') }})]) as value,
    unnest(array[count({{ columns | join('), count(') }})]) as users
    {%- if plan.errors %},
    unnest(array[
        {%- for column in columns %}
        {{ sqlrec.error_of_mean(column) }}{{ ',' if not loop.last }}
        {%- endfor %}
    ]) as standard_error
    {%- endif %}

from {{ kind.name }}_values
{{ 'group by ' ~ groups | join(', ') if groups }}
{% else %}
select {{ sqlrec.group_names(plan, named) }}metric, {{ plan.cutoff_column }},
    {%- if not kind.per_user %} value, {{ sqlrec.users_of_value(plan, 'value') }} as users
    {%- else %} avg(value) as value, count(value) as users
    {{- ', ' ~ sqlrec.error_of_mean('value') ~ ' as standard_error' if plan.errors }}
    {%- endif %}

{{ sqlrec.unpivoted(kind.name ~ '_values', groups + ([] if kind.per_user or plan.drawn else ['users_evaluated']), metrics) | trim }}
{{ where }}
{{ 'group by ' ~ (groups + ['metric']) | join(', ') if kind.per_user }}
{% endif %}
{%- endmacro %}

-- A clause: the cutoffs of each metric, if some metrics do not have all cutoffs.
{% macro at_cutoffs_of_each(kind, metrics) %}
{% if metrics | map(attribute='cutoffs') | map('length') | min < kind.cutoffs | length %}
where
    {%- for metric in metrics %}
    {{ 'or ' if not loop.first }}metric = '{{ metric.label }}' and k in ({{ metric.cutoffs | join(', ') }})
    {%- endfor %}
{% endif %}
{% endmacro %}

-- Per-user values, before the mean.
{% macro values_of_users(plan) %}
{% for kind in plan.kinds if kind.per_user %}
{% set values, one = kind.name ~ '_values', kind.metrics[0] if kind.metrics | length == 1 else none %}
{{ 'union all' if not loop.first }}
select {{ sqlrec.group_names(plan, true) }}user_id, {{ "'" ~ one.label ~ "' as " if one }}metric, {{ plan.cutoff_column }}, {{ one.column ~ ' as ' if one }}value
{{ 'from ' ~ values if one else sqlrec.unpivoted(values, sqlrec.user_groups(plan, []), kind.metrics) | trim }}
{{ sqlrec.at_cutoffs_of_each(kind, kind.metrics) if not one }}
{% endfor %}
{%- endmacro %}

-- The first comment of a statement, with the requests and the assumed columns of the tables.
{% macro header_comment(plan) %}
{%- set cutoffs, metrics = [], [] %}
{%- for kind in plan.kinds %}{%- set _ = metrics.extend(kind.metrics) %}{%- endfor %}
{%- for metric in metrics %}{%- set _ = cutoffs.append(metric.cutoffs | join(', ')) %}{%- endfor %}
{#- Cutoffs that all metrics share are written once. #}
{%- set are_alike = metrics | length > 1 and cutoffs | unique | list | length == 1 and plan.whole_list not in plan.cutoffs %}
{%- set requests = metrics | map(attribute='label') | join(', ') ~ ' at ' ~ cutoffs[0] if are_alike else plan.title %}
{#- No semicolon: some clients end a statement there, even in a comment. #}
-- {{ (metrics[0].title ~ ' ' ~ plan.title if plan.is_one else requests) | replace(';', ',') }}.
{%- set read, ranked = [], [] %}
{%- for name in ['recs', 'truth', 'history', 'catalog', 'items', 'users', 'baseline', 'logs'] if plan[name] %}
{%- for source in (plan.recs if name == 'recs' else [plan[name]]) %}
{%- set columns = [] %}
{%- for column in source.columns if source.columns[column] and column in source.names %}{% set _ = columns.append(source.names[column]) %}{% endfor %}
{%- set _ = ranked.append(name) if source.columns.rank %}
{%- set others = (plan.by + ([plan.user_weights] if plan.user_weights else [])) | selectattr('table', 'equalto', name) | map(attribute='column') | list %}
{#- The users table is read only for its other columns. #}
{%- set _ = read.append((source.relation ~ ' (' ~ (columns + others) | join(', ') ~ ')') | replace('\n', ' ')) if name != 'users' or others %}
{%- endfor %}
{%- endfor %}
-- Reads {{ (read[:-2] + [read[-2:] | join(' and ')]) | join(', ') }}{{ ('. Each row of ' ~ plan.truth.relation ~ ' is relevant') | replace('\n', ' ') if plan.truth and not plan.truth.columns.relevance }}.{{ ' Ranks start at 1, and rows with lower ranks are left out.' if ranked }}
{%- endmacro %}

-- The means with confidence intervals from the normal distribution, which extend by a number of
-- standard errors to each side. If all users have the same value, except for its last digits, low
-- and high are null.
{% macro plain_intervals(plan) %}
{% set columns = (['model'] if 'model' in plan.list_keys or plan.parts else []) + plan.by | map(attribute='label') | list + (['metric', 'k'] if plan.parts or not plan.is_one else []) %}
{% set known = 'standard_error * sqrt(users) > ' ~ sqlrec.double(plan.rounding) ~ ' * abs(value)' %}
{{ sqlrec.header_comment(plan) if not plan.parts else '-- The mean over users of ' ~ plan.title ~ '.' }}
-- The {{ plan.percent }}% confidence interval, from low to high, from the normal distribution.
{{ sqlrec.rows_by_rules(plan, 'means') }}
select {{ (columns + ['value', 'users', 'standard_error']) | join(', ') }},
    case when {{ known }} then value - {{ sqlrec.double(plan.reach) }} * standard_error end as low,
    case when {{ known }} then value + {{ sqlrec.double(plan.reach) }} * standard_error end as high
from means
{{ sqlrec.in_order(plan) if plan.parts else 'order by ' ~ plan.mean_keys | join(', ') if plan.mean_keys }}
{{ sqlrec.ending() }}
{% endmacro %}

-- Comparison of models with one model, user by user: the mean difference, its standard error, and the 95% confidence
-- interval from the normal distribution.
{% macro plain_comparison(plan) %}
{% set groups = ['model'] + plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- The differences of models from {{ plan.baseline_model }}, user by user.
{{ sqlrec.header_comment(plan) }}
{{ sqlrec.rows_by_rules(plan, 'user_values') }},
-- Each value with the value of {{ plan.baseline_model }} for the same user.
with_baseline_value as (
    select {{ groups | join(', ') }}, value,
        max(case when model = {{ plan.baseline_model }} then value end) over (partition by user_id, metric, k) as baseline_value
    from user_values
),
differences as (
    select {{ groups | join(', ') }}, value, baseline_value, value - baseline_value as difference,
        favg(value - baseline_value) over (partition by {{ groups | join(', ') }}) as mean_difference
    from with_baseline_value
    where model <> {{ plan.baseline_model }} and value is not null and baseline_value is not null
),
compared as (
    select {{ groups | join(', ') }}, count(*) as users, favg(value) as value,
        favg(baseline_value) as baseline_value,
        max(mean_difference) as difference,
        sqrt(
            sum((difference - mean_difference) * (difference - mean_difference))
            / nullif(cast(count(*) as double) * (count(*) - 1), 0)
        ) as standard_error
    from differences
    group by {{ groups | join(', ') }}
)
select {{ groups | join(', ') }}, users, value, baseline_value, difference, standard_error,
    difference - 1.959963984540054e0 * standard_error as low,
    difference + 1.959963984540054e0 * standard_error as high
from compared
order by {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{%- endmacro %}
