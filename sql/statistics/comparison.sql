-- Compares models with one model, the baseline, user by user. The values of two models for the same
-- user are correlated, so the difference is more precise than the intervals of the two means
-- suggest.
--
--   users              number of users for whom both models have a value
--   value              the mean of the model, over these users
--   baseline_value     the mean of the baseline, over these users
--   difference         the mean of the differences
--   standard_error     the standard error of this mean: the standard deviation of the differences /
--                      sqrt(users); 0 if all differences are equal except for their last digits
--   baseline_error     the standard error of the baseline's mean, and its covariance with the difference:
--   covariance         both are needed for intervals of the relative difference
--   low, high          the difference's 95% interval from the normal distribution; null for fewer
--                      than two users, and if the error is 0
--   better             the direction of the metric in its header: higher, lower or neither
--   wins, ties, losses number of users for whom the model is better than, equal to or worse than
--                      the baseline; wins and losses are null if the metric's direction is neither
--   signs              number of users with a higher value for the model, minus number of users
--                      with a lower value
--
-- A model that has no user in common with the baseline has one row, without a metric and with a
-- violation. If the baseline does not exist, each model has such a row.
--
-- A metric that is a function of sums over users, such as a pooled error, is linearized first
-- (sql/statistics/linear.sql); wins, ties, losses and signs are then computed from the values
-- before linearization.
--
-- Differences are equal if they agree to twelve decimals, since engines differ in later digits.
--
-- The plan has additional entries: baseline_model, the name of that model as a string constant; complete, if present,
-- true if only users with a value for every model count; and terms, true if some metric is a function of sums.
-- Instead of baseline_model it may have pairs, the names of all models in their order: each model is then compared with
-- all earlier models, which are in the column baseline.

{% macro comparison(plan) %}
{% set groups = sqlrec.compared_groups(plan) %}
-- The mean difference
-- {{ 'of every pair of models' if plan.pairs else 'from ' ~ plan.baseline_model }} by
-- {{ plan.title }}, user by user. If the column violations is not 0, rows break a rule, and no
-- value is valid.
{{ adapter.dispatch('compared_rows', 'sqlrec')(plan) }}
compared_or_not as (
    select
        {{ groups | join(', ') }}, users, value, baseline_value, difference, standard_error, baseline_error, covariance,
        better, more, ties, fewer, violations, 1 as has_users
    from compared
    {%- for source in plan.recs if not plan.pairs %}
    union all
    select
        {{ sqlrec.model(plan, source) }} as model,
        {%- for segment in plan.by %}
        null as {{ segment.label }},
        {%- endfor %}
        {{ sqlrec.string('null') }} as metric,
        cast(null as bigint) as k,
        0 as users,
        {%- for name in ['value', 'baseline_value', 'difference', 'standard_error', 'baseline_error', 'covariance'] %}
        cast(null as double) as {{ name }},
        {%- endfor %}
        {{ sqlrec.string('null') }} as better,
        {%- for name in ['more', 'ties', 'fewer'] %}
        cast(null as bigint) as {{ name }},
        {%- endfor %}
        1 as violations,
        0 as has_users
    {{- '\n    from ' ~ source.relation ~ '\n    group by ' ~ sqlrec.model(plan, source) if source.model is none }}
    {%- endfor %}
)
select
    {{ groups | join(', ') }},
    {{ sqlrec.request_text(plan) | trim }} as request,
    users, value, baseline_value, difference, standard_error, baseline_error, covariance,
    difference - 1.959963984540054e0 * nullif(standard_error, 0) as low,
    difference + 1.959963984540054e0 * nullif(standard_error, 0) as high,
    better,
    case better when 'higher' then more when 'lower' then fewer end as wins,
    ties,
    case better when 'higher' then fewer when 'lower' then more end as losses,
    more - fewer as signs, violations
from (
    select compared_or_not.*, max(has_users) over (partition by model) as model_has_users
    from compared_or_not
) as models_compared
where has_users = model_has_users{{ ' and model <> ' ~ plan.baseline_model if not plan.pairs }}
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The statistics of differences, with a row per model, segment, metric and cutoff.
{% macro default__compared_rows(plan) %}
{% set groups = sqlrec.compared_groups(plan) %}
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
-- The mean is computed first, because squared deviations from it lose no digits.
centered_differences as (
    select
        {{ groups | join(', ') }}, value, baseline_value, difference, violations,
        favg(difference) over (partition by {{ groups | join(', ') }}) as mean_difference,
        favg(baseline_value) over (partition by {{ groups | join(', ') }}) as mean_baseline,
        {{ sqlrec.direction(plan) }} as direction
    from differences
),
compared as (
    select
        {{ groups | join(', ') }},
        count(*) as users,
        favg(value) as value,
        favg(baseline_value) as baseline_value,
        max(mean_difference) as difference,
        case
            when
                sum((difference - mean_difference) * (difference - mean_difference)) * 1e24
                <= sum(abs(value) + abs(baseline_value)) * sum(abs(value) + abs(baseline_value)) / count(*)
                and count(*) > 1
            then cast(0 as double)
            else
                sqrt(
                    sum((difference - mean_difference) * (difference - mean_difference))
                    / nullif(cast(count(*) as double) * (count(*) - 1), 0)
                )
        end as standard_error,
        {%- set pairs = 'nullif(cast(count(*) as double) * (count(*) - 1), 0)' %}
        sqrt(sum((baseline_value - mean_baseline) * (baseline_value - mean_baseline)) / {{ pairs }}) as baseline_error,
        sum((difference - mean_difference) * (baseline_value - mean_baseline)) / {{ pairs }} as covariance,
        {{ sqlrec.better(plan) }} as better,
        cast(sum(case when direction > 0 then 1 else 0 end) as bigint) as more,
        cast(sum(case when direction = 0 then 1 else 0 end) as bigint) as ties,
        cast(sum(case when direction < 0 then 1 else 0 end) as bigint) as fewer,
        max(violations) as violations
    from centered_differences
    group by {{ groups | join(', ') }}
),
{% endmacro %}

-- Metrics are columns until they are aggregated, because DuckDB takes five times longer with a row
-- for each metric. DuckDB's variances lose no digits.
{% macro duckdb__compared_rows(plan) %}
{% if plan.terms or plan.complete or plan.parts or plan.user_results %}
{{ sqlrec.default__compared_rows(plan) }}
{% else %}
{{ sqlrec.query_of_values(plan, 'user_results', sqlrec.compared_columns(plan, plan.kinds | selectattr('per_user') | list)) }}
{% endif %}
{% endmacro %}

{% macro compared_columns(plan, kinds) %}
{% set keys = ['model'] + (['baseline'] if plan.pairs else []) + plan.by | map(attribute='label') | list %}
{% set cutoffs = [] if plan.k else ['k'] %}
{{ sqlrec.violation_counts(plan) }}
{%- for kind in kinds %}
{{ sqlrec.requested_metrics(kind) }},
{{ kind.name }}_pairs as (
    select
        {{ sqlrec.result_keys(plan, 'candidates', 'candidates') }}
        {{- '\n        baselines.model as baseline,' if plan.pairs }}
        {{- '\n        candidates.k as k,' if cutoffs }}
        {%- for metric in kind.metrics %}
        case when baselines.{{ metric.column }} is not null then candidates.{{ metric.column }} end as {{ metric.column }},
        case when candidates.{{ metric.column }} is not null then baselines.{{ metric.column }} end as baseline_{{ metric.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ kind.name }}_values as candidates
    join {{ kind.name }}_values as baselines on baselines.user_id = candidates.user_id{{ ' and baselines.k = candidates.k' if cutoffs }}
    where {{ sqlrec.is_pair(plan) }}
),
{{ kind.name }}_compared as (
    select
        {{ (keys + cutoffs) | join(', ') }}
        {%- for metric in kind.metrics %},
        {{ sqlrec.statistics_of_pairs(metric.column) | trim }} as {{ metric.column }}
        {%- endfor %}
    from {{ kind.name }}_pairs
    group by {{ (keys + cutoffs) | join(', ') }}
),
{%- endfor %}
statistics as (
    {%- for kind in kinds %}
    {{ 'union all' if not loop.first }}
    {%- set compared, requests = kind.name ~ '_compared', kind.name ~ '_requests' %}
    select
        {% for key in keys %}{{ compared }}.{{ key }} as {{ key }}, {% endfor -%}
        {{ requests }}.metric as metric,
        nullif({{ requests }}.k, {{ plan.whole_list }}) as k,
        {{ sqlrec.requested_value(kind, compared ~ '.') }} as of_pairs
    from {{ compared }}
    {{ 'join ' ~ requests ~ ' on ' ~ requests ~ '.k = ' ~ compared ~ '.k' if cutoffs else 'cross join ' ~ requests }}
    {%- endfor %}
),
compared as (
    select
        {{ sqlrec.compared_groups(plan) | join(', ') }},
        {%- for name in ['users', 'value', 'baseline_value', 'difference'] %}
        struct_extract(of_pairs, '{{ name }}') as {{ name }},
        {%- endfor %}
        case
            when
                (struct_extract(of_pairs, 'users') - 1) * struct_extract(of_pairs, 'variance') * 1e24
                <= struct_extract(of_pairs, 'size') * struct_extract(of_pairs, 'size') / struct_extract(of_pairs, 'users')
            then cast(0 as double)
            else sqrt(struct_extract(of_pairs, 'variance') / struct_extract(of_pairs, 'users'))
        end as standard_error,
        sqrt(struct_extract(of_pairs, 'baseline_variance') / struct_extract(of_pairs, 'users')) as baseline_error,
        struct_extract(of_pairs, 'covariance') / struct_extract(of_pairs, 'users') as covariance,
        {{ sqlrec.better(plan) }} as better,
        struct_extract(of_pairs, 'more') as more,
        struct_extract(of_pairs, 'users') - struct_extract(of_pairs, 'more') - struct_extract(of_pairs, 'fewer') as ties,
        struct_extract(of_pairs, 'fewer') as fewer,
        cast(violation_counts.violations as bigint) as violations
    from statistics
    cross join violation_counts
    where struct_extract(of_pairs, 'users') > 0
),
{% endmacro %}

-- The statistics of users with a value for both models.
{% macro statistics_of_pairs(value) %}
{% set difference = value ~ ' - baseline_' ~ value %}
struct_pack(
            users := count({{ value }}),
            value := {{ sqlrec.mean(value) }},
            baseline_value := {{ sqlrec.mean('baseline_' ~ value) }},
            difference := {{ sqlrec.mean(difference) }},
            variance := var_samp({{ difference }}),
            baseline_variance := var_samp(baseline_{{ value }}),
            covariance := covar_samp({{ difference }}, baseline_{{ value }}),
            size := sum(abs({{ value }}) + abs(baseline_{{ value }})),
            more := count(case when ({{ difference }}) * 1e12 + 0.5e0 >= 1 then 1 end),
            fewer := count(case when (baseline_{{ value }} - {{ value }}) * 1e12 + 0.5e0 >= 1 then 1 end)
        )
{% endmacro %}

-- The skewness of differences, or of users' values without a baseline: the third central moment
-- divided by the second to the power of 1.5. With clusters, it is the skewness of the clusters'
-- sums of deviations. One row per model, segment, metric and cutoff.
{% macro shapes(plan) %}
{% set groups = sqlrec.compared_groups(plan, [plan.cluster]) %}
-- The skewness
-- {{ 'of the differences of every pair of models by' if plan.pairs else 'of the differences from ' ~ plan.baseline_model ~ ' by' if plan.baseline_model else 'of' }}
-- {{ plan.title }}.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }},
centered as (
    select
        {{ groups | join(', ') }}, {{ 'unit, ' if plan.cluster }}violations,
        value - favg(value) over (partition by {{ groups | join(', ') }}) as deviation
    from sampled
){% if plan.cluster %},
clusters as (
    select {{ groups | join(', ') }}, sum(deviation) as deviation, max(violations) as violations
    from centered
    group by {{ groups | join(', ') }}, unit
){% endif %}

select
    {{ groups | join(', ') }},
    favg(deviation * deviation * deviation)
    / nullif(sqrt(favg(deviation * deviation)) * favg(deviation * deviation), 0) as skewness,
    max(violations) as violations
from {{ 'clusters' if plan.cluster else 'centered' }}
group by {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The sizes of differences, if at most plan.few users have a difference. One row per model,
-- segment, metric, cutoff and size, with the rank of the size, its number of users, and the number
-- of differences above 0 minus the number below 0.
{% macro sizes(plan) %}
{% set groups = sqlrec.compared_groups(plan) %}
-- The ranks of the differences
-- {{ 'of every pair of models' if plan.pairs else 'from ' ~ plan.baseline_model }} by
-- {{ plan.title }}, if few users have a difference.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
{{ sqlrec.ranked_sizes(plan) }}
select {{ groups | join(', ') }}, size_rank, distance, users, signs, violations
from ranked_sizes
where differing <= {{ plan.few }}
{{ sqlrec.ending() }}
{% endmacro %}

-- Wilcoxon's signed-rank statistic R+ - R-, over users with a difference: the sum of the ranks of
-- positive differences minus the sum of the ranks of negative differences, where ranks are by size.
-- The other column is its standard deviation if neither model is better. One row per model,
-- segment, metric and cutoff.
{% macro signed_ranks(plan) %}
{% set groups = sqlrec.compared_groups(plan) %}
-- Wilcoxon's signed ranks of the differences
-- {{ 'of every pair of models' if plan.pairs else 'from ' ~ plan.baseline_model }} by
-- {{ plan.title }}.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
{{ sqlrec.ranked_sizes(plan) }}
select
    {{ groups | join(', ') }},
    sum(signs * size_rank) as signed_ranks,
    sqrt(sum(users * size_rank * size_rank)) as signed_ranks_error,
    max(violations) as violations
from ranked_sizes
group by {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The sizes of differences with their ranks: equal sizes have the mean of their ranks. Counts are
-- doubles, since sums of integers fail in DuckDB in browsers.
{% macro ranked_sizes(plan) %}
{% set groups = sqlrec.compared_groups(plan) | join(', ') %}
counted_sizes as (
    select
        {{ groups }}, distance,
        cast(count(*) as double) as users,
        sum({{ sqlrec.double(sqlrec.direction(plan)) }}) as signs,
        max(violations) as violations
    from differences
    where distance > 0
    group by {{ groups }}, distance
),
ranked_sizes as (
    select
        {{ groups }}, distance, users, signs, violations,
        sum(users) over (partition by {{ groups }} order by distance asc rows between unbounded preceding and current row)
            - (users - 1) / 2 as size_rank,
        sum(users) over (partition by {{ groups }}) as differing
    from counted_sizes
)
{%- endmacro %}

-- The sign of a difference: an expression.
{% macro direction(plan) -%}
case when distance = 0 then 0 when {{ 'user_difference' if plan.terms else 'difference' }} > 0 then 1 else -1 end
{%- endmacro %}

-- The text of the request for the metric of a row: an expression.
{% macro request_text(plan) -%}
case
        {%- for kind in plan.kinds %}
        {%- for metric in kind.metrics %}
        {%- for k in metric.cutoffs %}
        when metric = '{{ metric.label }}' and coalesce(k, {{ plan.whole_list }}) = {{ k }} then '{{ metric.texts[loop.index0] }}'
        {%- endfor %}
        {%- endfor %}
        {%- endfor %}
    end
{%- endmacro %}

-- The better direction of the metric of a row: an expression.
{% macro better(plan) -%}
{%- set labels = {'higher': [], 'lower': [], 'neither': []} -%}
{%- for kind in plan.kinds -%}
{%- for metric in kind.metrics -%}
{%- set _ = labels[metric.better].append("'" ~ metric.label ~ "'") -%}
{%- endfor -%}
{%- endfor -%}
case
            {%- for word, those in labels.items() if those %}
            when metric in ({{ those | join(', ') }}) then '{{ word }}'
            {%- endfor %}
        end
{%- endmacro %}

-- The keys of differences: the model, or both models of a pair, and the segments without excluded
-- ones, such as clusters.
{% macro compared_groups(plan, apart=[]) %}
{% set labels = plan.by | map(attribute='label') | reject('in', apart) | list %}
{{ return(['model'] + (['baseline'] if plan.pairs else []) + labels + ['metric', 'k']) }}
{% endmacro %}

-- The condition that a row of `baselines` is the baseline of a row of `candidates`. With plan.pairs, all
-- earlier models are baselines of a model.
{% macro is_pair(plan) -%}
{%- if plan.pairs %}
{%- for table in ['baselines', 'candidates'] -%}
case {{ table }}.model{% for model in plan.pairs %} when {{ model }} then {{ loop.index }}{% endfor %} end{{ ' < ' if loop.first }}
{%- endfor %}
{%- else -%}
baselines.model = {{ plan.baseline_model }} and candidates.model <> {{ plan.baseline_model }}
{%- endif %}
{%- endmacro %}

-- Each value with the value of the baseline, or of each earlier model, for the same user. The order
-- of models is the order of plan.pairs, which contains string constants.
{% macro paired_values(plan) %}
{% set values = 'complete_values' if plan.complete else 'user_results' %}
with_baseline_value as (
    select
        candidates.model as model,
        {%- if plan.pairs %}
        baselines.model as baseline,
        {%- endif %}
        {%- for name in plan.by | map(attribute='label') | list + ['metric', 'k', 'user_id', 'value', 'violations'] + sqlrec.user_terms(plan) %}
        candidates.{{ name }} as {{ name }},
        {%- endfor %}
        {%- for term in sqlrec.user_terms(plan) %}
        baselines.{{ term }} as baseline_{{ term }},
        {%- endfor %}
        baselines.value as baseline_value
    from {{ values }} as candidates
    join {{ values }} as baselines
        on baselines.user_id = candidates.user_id
        and baselines.metric = candidates.metric
        and coalesce(baselines.k, 0) = coalesce(candidates.k, 0)
    where
        {{ sqlrec.is_pair(plan) }}
),
{%- endmacro %}

-- Values are read once, because some engines would compute the named query again for each reader.
{% macro default__with_baseline_value(plan) %}
-- Each value with the baseline's value for the same user.
with_baseline_value as (
    select
        {{ sqlrec.compared_groups(plan) | join(', ') }}, user_id, value, violations,
        max(case when model = {{ plan.baseline_model }} then value end)
            over (partition by user_id, metric, k) as baseline_value
        {%- for term in sqlrec.user_terms(plan) %},
        {{ term }},
        max(case when model = {{ plan.baseline_model }} then {{ term }} end)
            over (partition by user_id, metric, k) as baseline_{{ term }}
        {%- endfor %}
    from {{ 'complete_values' if plan.complete else 'user_results' }}
),
{%- endmacro %}

-- In DuckDB a window over partitions of a few rows is ten times slower than a join.
{% macro duckdb__with_baseline_value(plan) %}{{ sqlrec.paired_values(plan) }}{% endmacro %}

-- The terms of a user's sums, for both models.
{% macro user_terms(plan) -%}
{{ return(['added_numerator', 'added_denominator'] if plan.terms else []) }}
{%- endmacro %}

-- The differences of all models from the baseline. One row per user for whom both models have a
-- value. Sums are not split by some segments, such as clusters.
{% macro differences(plan, apart=[]) %}
{% set groups = sqlrec.compared_groups(plan) %}
{% set sums = sqlrec.compared_groups(plan, apart) | join(', ') %}
{% if plan.complete %}
{{ sqlrec.complete_values(plan) }},
{% endif %}
{{ sqlrec.paired_values(plan) if plan.pairs else adapter.dispatch('with_baseline_value', 'sqlrec')(plan) }}
{% if plan.terms %}
-- The terms of users, with their sums over all users of both models.
paired_terms as (
    select
        {{ groups | join(', ') }}, user_id, violations, value as user_value, baseline_value as user_baseline_value,
        count(*) over (partition by {{ sums }}) as sum_users
        {%- for term in ['added_numerator', 'added_denominator', 'baseline_added_numerator', 'baseline_added_denominator'] %},
        {{ term }}, sum({{ term }}) over (partition by {{ sums }}) as {{ term }}s
        {%- endfor %}
    from with_baseline_value
    where {{ 'model <> ' ~ plan.baseline_model ~ ' and ' if not plan.pairs }}added_numerator + added_denominator is not null
        and baseline_added_numerator + baseline_added_denominator is not null
),
linear_values as (
    select
        {{ groups | join(', ') }}, user_id, violations,
        user_value - user_baseline_value as user_difference,
        {{ sqlrec.linear_value(plan, 'user_value') | trim }} as value,
        {{ sqlrec.linear_value(plan, 'user_baseline_value', 'baseline_') | trim }} as baseline_value
    from paired_terms
),
differences as (
    select
        {{ groups | join(', ') }}, user_id, value, baseline_value, user_difference, violations,
        value - baseline_value as difference,
        floor(abs(user_difference) * 1e12 + 0.5e0) as distance
    from linear_values
)
{%- else %}
differences as (
    select
        {{ groups | join(', ') }}, user_id, value, baseline_value, violations,
        value - baseline_value as difference,
        floor(abs(value - baseline_value) * 1e12 + 0.5e0) as distance
    from with_baseline_value
    where {{ 'model <> ' ~ plan.baseline_model ~ ' and ' if not plan.pairs }}value is not null and baseline_value is not null
)
{%- endif %}
{%- endmacro %}
