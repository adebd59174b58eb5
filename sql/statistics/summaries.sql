-- Summarizes per-user values in a row per model, segment, metric and cutoff.
--
--   users                number of users with a value
--   mean                 the mean of their values
--   standard_deviation   their standard deviation, with the divisor users - 1; null for one user
--   skewness             the third central moment divided by the second to the power of 1.5
--   min, max             the smallest and the largest value
--   zero_share           the share of users with the value 0
--   quantile_<n>         the quantile at each requested share, such as .5 for the median,
--                        interpolated linearly between two users' values
--   lower_<n>            this quantile without interpolation: the lower of the two values
--
-- The plan has an additional entry, quantiles: the shares.
--
-- DuckDB has functions for these statistics and computes them in the same statement as the means.

{% macro summaries(plan) %}
{% set groups = ['model'] + plan.by | map(attribute='label') | list + ['metric', 'k'] %}
-- Summaries of each user's {{ plan.title }}.
-- If the column violations is not 0, rows break a rule, and no value is valid.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
-- The mean is computed first, because powers of deviations from it lose no digits.
ordered_values as (
    select
        {{ groups | join(', ') }}, value, violations,
        value - favg(value) over (partition by {{ groups | join(', ') }}) as deviation,
        row_number() over (partition by {{ groups | join(', ') }} order by value asc, user_id asc) - 1 as row_index,
        count(*) over (partition by {{ groups | join(', ') }}) - 1 as last_index
    from user_results
    where value is not null
),
summarized as (
    select
        {{ groups | join(', ') }},
        count(*) as users,
        favg(value) as mean,
        sum(deviation * deviation) as squares,
        sum(deviation * deviation * deviation) as cubes,
        min(value) as least,
        max(value) as greatest,
        favg(case when value = 0 then cast(1 as double) else 0 end) as zero_share,
        {%- for share in plan.quantiles %}
        {%- set at = sqlrec.double(share) ~ ' * last_index' %}
        sum(
            case
                when row_index <= {{ at }} and {{ at }} < row_index + 1 then value * (1 - ({{ at }} - row_index))
                when row_index - 1 < {{ at }} and {{ at }} < row_index then value * ({{ at }} - row_index + 1)
                else 0
            end
        ) as quantile_{{ loop.index }},
        sum(case when row_index <= {{ at }} and {{ at }} < row_index + 1 then value else 0 end) as lower_{{ loop.index }},
        {%- endfor %}
        max(violations) as violations
    from ordered_values
    group by {{ groups | join(', ') }}
)
select
    {{ groups | join(', ') }}, users, mean,
    sqrt(squares / nullif(users - 1, 0)) as standard_deviation,
    cubes / users / nullif(sqrt(squares / users) * squares / users, 0) as skewness,
    least as min, greatest as max, zero_share
    {%- for share in plan.quantiles %}, quantile_{{ loop.index }}, lower_{{ loop.index }}{% endfor %},
    violations
from summarized
{{ sqlrec.in_order(plan) }}
{{ sqlrec.ending() }}
{% endmacro %}

-- A summary of users' values in DuckDB, as an expression over their column. One sort serves all quantiles.
{% macro summary_of_values(plan, column, name, share) -%}
{%- set shares = plan.summaries | map(attribute=1) | reject('none') | unique | list -%}
{%- if name == 'quantile' -%}
quantile_cont({{ column }}, [{{ shares | join(', ') }}])[{{ shares.index(share) + 1 }}]
{%- elif name == 'lower' -%}
list_sort(list({{ column }}), 'ASC', 'NULLS LAST')[1 + cast(floor({{ sqlrec.double(share) }} * (count({{ column }}) - 1)) as bigint)]
{%- elif name == 'standard_deviation' -%}
sqrt({{ sqlrec.variance(column) }})
{%- elif name == 'zero_share' -%}
{{ sqlrec.mean('case when ' ~ column ~ ' = 0 then cast(1 as double) when ' ~ column ~ ' is not null then cast(0 as double) end') }}
{%- else -%}
{{ name }}({{ column }})
{%- endif -%}
{%- endmacro %}
