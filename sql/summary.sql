-- The summary of per-user values: their mean, or the metric's own summary, and its standard error.

-- The summary of per-user values: an expression over their rows.
{% macro summary(metric) -%}
{%- if 'summary' in metric.parts -%}
{{ sqlrec.part(metric, 'summary') }}
{%- elif metric.weighted or 'weight' in metric.parts and sqlrec.part(metric, 'weight') -%}
{{ sqlrec.weighted_mean(metric.column) }}
{%- else -%}
favg({{ metric.column }})
{%- endif -%}
{%- endmacro %}

-- The kind of summary: a plain mean, a weighted mean, a function of sums (root, geometric, pooled,
-- f, sum), or empty for another summary. For logged decisions, it is a ratio of two sums if the
-- metric has the macros <rows>__<metric>__numerator and <rows>__<metric>__denominator.
{% macro kind_of_mean(metric) -%}
{%- set own = ['summary', 'weight', 'numerator'] | select('in', metric.parts) | list -%}
{%- set summary = sqlrec.summary(metric) | trim if own or metric.weighted else '' -%}
{%- set column = metric.column -%}
{%- if not summary -%}plain
{%- elif 'numerator' in metric.parts and sqlrec.part(metric, 'numerator') -%}ratio
{%- elif summary == 'favg(' ~ column ~ ')' -%}plain
{%- elif summary == sqlrec.weighted_mean(column) | trim -%}weighted
{%- elif summary == sqlrec.weighted_root(column) | trim -%}root
{%- elif summary == sqlrec.geometric_mean(column) | trim -%}geometric
{%- elif summary == sqlrec.pooled_share(column ~ '_concordant', column ~ '_discordant') | trim -%}pooled
{%- elif summary == sqlrec.f_of_means(column, metric.params.get('beta', 1)) | trim -%}f
{%- elif summary == 'sum(' ~ column ~ ')' -%}sum
{%- endif -%}
{%- endmacro %}

-- The labels of metrics with the kind of summary `plan.mean`, one per line.
{% macro metrics_with_mean(plan) %}
{% for kind in plan.kinds if kind.per_user %}
{% for metric in kind.metrics if sqlrec.kind_of_mean(metric) == plan.mean %}
{{ metric.label }}
{% endfor %}
{% endfor %}
{% endmacro %}

-- The means that can be evaluated in batches of users, because a value needs only the user's own rows. Means are
-- excluded if one undefined value makes the mean undefined, if lists are extended by the items of all users, or if
-- users of the history without a list count.
{% macro means_in_batches(plan) %}
{% for kind in plan.kinds if kind.per_user and plan.undefined != 'propagate' and 'depends_on_other_users' not in plan.properties.missing_items %}
{% for metric in kind.metrics if sqlrec.kind_of_mean(metric) == 'plain' and metric.column not in sqlrec.filled_metrics(kind) %}
{{ metric.label }}
{% endfor %}
{% endfor %}
{% endmacro %}

-- The standard error of the summary, if users are a random sample. For a mean, it is computed from
-- the deviation of the values. For a weighted mean, which is a ratio of two sums, it is computed by
-- linearization. It is null for other summaries, and for one user.
{% macro standard_error(metric) -%}
{%- set value = metric.column -%}
{%- set mean = sqlrec.kind_of_mean(metric) -%}
{%- if mean == 'plain' -%}
{{ sqlrec.error_of_mean(value) }}
{%- elif mean == 'weighted' -%}
{%- set weight = 'case when ' ~ value ~ ' is null then cast(0 as double) else ' ~ value ~ '_weight end' -%}
{{ sqlrec.error_of_ratio(value ~ ' * ' ~ value ~ '_weight', weight) }}
{%- else -%}
cast(null as double)
{%- endif -%}
{%- endmacro %}

{% macro error_of_mean(value) -%}
sqrt({{ sqlrec.variance(value) }} / nullif(count({{ value }}), 0))
{%- endmacro %}

-- The standard error of sum(numerator) / sum(denominator), linearized (Cochran 1977, Sampling Techniques, 6.19).
{% macro error_of_ratio(numerator, denominator) -%}
{%- set ratio = '(sum(' ~ numerator ~ ') / nullif(sum(' ~ denominator ~ '), 0))' -%}
sqrt(
    abs(
        sum(({{ numerator }}) * ({{ numerator }}))
        - 2 * {{ ratio }} * sum(({{ numerator }}) * ({{ denominator }}))
        + {{ ratio }} * {{ ratio }} * sum(({{ denominator }}) * ({{ denominator }}))
    )
    * count({{ numerator }}) / nullif(count({{ numerator }}) - 1, 0)
) / nullif(abs(sum({{ denominator }})), 0)
{%- endmacro %}

-- The error of a ratio for decisions, grouped by user. numerator and denominator belong to a
-- decision; user_numerator and user_denominator are their sums over the user's decisions. The sum
-- over decisions of a decision's term times the user's sum is therefore a sum of squares over
-- users. A result that is tiny relative to its terms is replaced by 0.
{% macro error_of_users(numerator, user_numerator, denominator, user_denominator) -%}
{%- set ratio = sqlrec.squarable('(sum(' ~ numerator ~ ') / nullif(sum(' ~ denominator ~ '), 0))') -%}
{%- set divisor = 'nullif(abs(sum(' ~ denominator ~ ')), 0)' -%}
{%- set numerator, denominator = sqlrec.squarable(numerator), sqlrec.squarable(denominator) -%}
{%- set user_numerator, user_denominator = sqlrec.squarable(user_numerator), sqlrec.squarable(user_denominator) -%}
{%- set squares -%}
sum(({{ numerator }}) * {{ user_numerator }})
        - 2 * {{ ratio }} * sum(({{ numerator }}) * {{ user_denominator }})
        + {{ ratio }} * {{ ratio }} * sum(({{ denominator }}) * {{ user_denominator }})
{%- endset -%}
sqrt(
    case when {{ squares }} > 1e-13 * sum(({{ numerator }}) * {{ user_numerator }}) then {{ squares }} else cast(0 as double) end
    * sum(1 / user_decisions) / nullif(case when sum(1 / user_decisions) > 1.5e0 then sum(1 / user_decisions) - 1 end, 0)
) / {{ divisor }}
{%- endmacro %}

-- A summary, or null if undefined='propagate' and a user has no value.
{% macro null_if_any_null(plan, metric, summary) -%}
{{ 'case when count(' ~ metric.column ~ ') = count(*) then ' ~ summary ~ ' end' if plan.undefined == 'propagate' else summary }}
{%- endmacro %}

-- The mean of a column, weighted by its column of weights. Users without a value have no weight.
{% macro weighted_mean(column) -%}
sum({{ column }} * {{ column }}_weight)
/ nullif(sum(case when {{ column }} is not null then {{ column }}_weight end), 0)
{%- endmacro %}

-- The root of the weighted mean of the squares of a column.
{% macro weighted_root(column) -%}
sqrt(sum({{ column }} * {{ column }} * {{ column }}_weight) / nullif(sum({{ column }}_weight), 0))
{%- endmacro %}

-- The geometric mean of a column; values below 0.00001 are replaced by 0.00001.
{% macro geometric_mean(column) -%}
exp({{ sqlrec.mean(sqlrec.ln(sqlrec.floored(column))) }})
{%- endmacro %}

{% macro floored(value) -%}
{%- set floor = '1e-5' -%}
case when {{ value }} > {{ floor }} then {{ value }} when {{ value }} >= 0 then {{ floor }} end
{%- endmacro %}

-- The share of one column in the sum of two columns.
{% macro pooled_share(part, rest) -%}
sum({{ part }}) / nullif(sum({{ part }} + {{ rest }}), 0)
{%- endmacro %}

-- The F-beta measure of the means of two parts; 0 if both means are 0.
{% macro f_of_means(column, beta) -%}
{%- set precision, recall = sqlrec.mean(column ~ '_precision'), sqlrec.mean(column ~ '_recall') -%}
coalesce(
    {{ sqlrec.literal(1 + beta * beta) }} * {{ precision }} * {{ recall }}
    / nullif({{ sqlrec.times(beta * beta, precision) }} + {{ recall }}, 0),
    {{ recall }}
)
{%- endmacro %}
