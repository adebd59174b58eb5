-- Means over users, adjusted to all users in the users table. A regression on categories and numbers of users predicts
-- values for users who were not evaluated.
--
--   value               sum of w y: the mean over categories, weighted by their shares W of all N
--                       users, plus b times the mean number x of all users minus the mean number of
--                       the n evaluated users
--   degrees_of_freedom  n - categories - numbers
--   variance            the variance of value: sum of (w e)^2 / (1 - h) + sum of w (y - e -
--                       value)^2 / N, where e are the residuals of the regression of y on
--                       categories and numbers, and h its leverages. This is HC2, plus the variance
--                       of the mix of the N users, who are a sample too
--   baseline_value, baseline_variance, covariance   for differences from a baseline: the baseline's value and its
--                       variance, and its covariance with the difference
--   strangers           number of evaluated users who are not in the table
--   users_unknown           number of users of the table with a missing number
--
-- Numbers are processed one after the other. The projection on each number is subtracted from later
-- numbers (Gram-Schmidt), so no matrix is inverted. Categories with fewer than ten evaluated users
-- are merged. If together they still have fewer than ten users, they are also merged with the
-- smallest other category.
--
-- Source    Cochran 1977, Sampling Techniques, 5A.9, 7.1 and 12.6; Särndal, Swensson & Wretman 1992, Model
--           Assisted Survey Sampling, 6.4; MacKinnon & White 1985, doi.org/10.1016/0304-4076(85)90158-7 (HC2)
--
-- The plan has additional entries: categories and numbers, the labels of the last segments; and
-- baseline_model, a string constant or none, for means of the differences from it.

{% macro adjusted(plan) %}
{% set groups = sqlrec.compared_groups(plan, plan.categories + plan.numbers) %}
{% set user_groups = groups | reject('in', ['model', 'baseline', 'metric', 'k']) | list %}
{% set ys = ['y', 'baseline_y'] if plan.baseline_model or plan.pairs else ['y'] %}
{% set group = 'over (partition by ' ~ groups | join(', ') ~ ')' %}
{% set stratum = 'over (partition by ' ~ groups | join(', ') ~ ', stratum)' %}
{% set kept = groups | join(', ') ~ ', stratum, users, all_users, strangers, users_unknown, violations' %}
-- Means of {{ plan.title }} over users, adjusted to all users.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups, ['user_id']) }},
-- The categories and numbers of all users.
all_users_known as (
    select {{ sqlrec.with_alias(plan.users.columns.user_id, 'user_id') }}
        {%- for segment in plan.by %},
        min({{ segment.column }}) as {{ segment.label }}
        {%- endfor %}
    from {{ plan.users.relation }}
    where {{ plan.users.columns.user_id }} is not null
    group by {{ plan.users.columns.user_id }}
),
known_users as (
    select
        user_id{{ ', ' ~ user_groups | join(', ') if user_groups }},
        {%- for name in plan.numbers %}
        case when abs({{ name }}) <= 1e100 then {{ sqlrec.double(name) }} end as x_{{ loop.index }},
        {%- endfor %}
        '=' {%- for name in plan.categories %} || coalesce({{ sqlrec.string(name) }}, '') || '|'{% endfor %} as cell
    from all_users_known
),
mixed_users as (
    select
        user_id, cell,
        count(*) {{ sqlrec.over_users(user_groups) }} as all_users,
        {%- for name in plan.numbers %}
        x_{{ loop.index }},
        {{ sqlrec.mean('x_' ~ loop.index) }} {{ sqlrec.over_users(user_groups) }} as mean_x_{{ loop.index }},
        {%- endfor %}
        {%- for name in plan.numbers %}
        sum(case when x_{{ loop.index }} is null then 1 else 0 end) {{ sqlrec.over_users(user_groups) }}{{ ' +' if not loop.last else ' as users_unknown,' }}
        {%- endfor %}
        count(*) {{ sqlrec.over_users(user_groups + ['cell']) }} as all_cell_users
    from known_users
),
celled as (
    select
        {%- for name in groups %}
        sampled.{{ name }} as {{ name }},
        {%- endfor %}
        sampled.value as y, {{ 'sampled.baseline_value as baseline_y, ' if ys[1] is defined }}mixed_users.cell as cell, mixed_users.all_cell_users as all_cell_users,
        {%- for name in plan.numbers %}
        mixed_users.x_{{ loop.index }} as x_{{ loop.index }}, mixed_users.mean_x_{{ loop.index }} as mean_x_{{ loop.index }},
        {%- endfor %}
        mixed_users.all_users as all_users, {{ 'mixed_users.users_unknown' if plan.numbers else '0' }} as users_unknown, sampled.violations as violations,
        case when mixed_users.user_id is null then 1 else 0 end as stranger
    from sampled
    left join mixed_users on mixed_users.user_id = sampled.user_id
),
counted_cells as (
    select celled.*, count(*) {{ group }} as users, sum(stranger) {{ group }} as strangers,
        count(*) over (partition by {{ groups | join(', ') }}, cell) as cell_users
    from celled
),
least_cells as (
    select counted_cells.*,
        sum(case when cell_users < 10 then 1 else 0 end) {{ group }} as rare_users,
        min(case when cell_users >= 10 then cell_users end) {{ group }} as least_users
    from counted_cells
),
rare_cells as (
    select least_cells.*, min(case when cell_users = least_users then cell end) {{ group }} as least_cell
    from least_cells
),
strata as (
    select
        {{ groups | join(', ') }}, {{ ys | join(', ') }}, users, all_users, strangers, users_unknown, violations, cell_users, all_cell_users,
        {%- for name in plan.numbers %}
        x_{{ loop.index }}, mean_x_{{ loop.index }},
        {%- endfor %}
        case when cell_users < 10 or (rare_users < 10 and cell = least_cell) then '' else cell end as stratum
    from rare_cells
),
shares as (
    select strata.*, count(*) {{ stratum }} as stratum_users,
        case
            when stratum <> '' then all_cell_users / cast(all_users as double)
            else 1 - coalesce(sum(case when stratum <> '' then all_cell_users / cast(all_users as double) / cell_users end) {{ group }}, 0)
        end as share
    from strata
),
-- The deviations from the mean of a category, and the differences of mean numbers between all users
-- and evaluated users.
residuals_0 as (
    select
        {{ kept }}, share / stratum_users as weight, 1 / cast(stratum_users as double) as leverage,
        {%- for y in ys %}
        {{ y }}, {{ y }} - {{ sqlrec.mean(y) }} {{ stratum }} as {{ y }}_left, sum(share / stratum_users * {{ y }}) {{ group }} as {{ y }}_mean,
        {%- endfor %}
        {%- for name in plan.numbers %}
        {%- set x = 'x_' ~ loop.index %}
        {{ x }} - {{ sqlrec.mean(x) }} {{ stratum }} as {{ x }}, mean_{{ x }} - sum(share / stratum_users * {{ x }}) {{ group }} as more_{{ x }},
        sum({{ x }} * {{ x }}) {{ group }} as size_{{ x }},
        {%- endfor %}
        0 as slopes
    from shares
),
{%- for name in plan.numbers %}
{%- set x = 'x_' ~ loop.index %}
{%- set rest = range(loop.index + 1, plan.numbers | length + 1) %}
{%- set by = 'coalesce(1 / squares_' ~ x ~ ', 0)' %}
-- Values without the projection on {{ x }}. If a number depends on earlier numbers, its sum of
-- squares is 0.
squares_{{ loop.index }} as (
    select residuals_{{ loop.index0 }}.*,
        case when sum({{ x }} * {{ x }}) {{ group }} > 1e-24 * size_{{ x }} then sum({{ x }} * {{ x }}) {{ group }} end as squares_{{ x }}
        {%- for y in ys %}, sum({{ x }} * {{ y }}_left) {{ group }} as {{ y }}_with_{{ x }}{% endfor %}
        {%- for other in rest %}, sum({{ x }} * x_{{ other }}) {{ group }} as x_{{ other }}_with_{{ x }}{% endfor %}
    from residuals_{{ loop.index0 }}
),
residuals_{{ loop.index }} as (
    select
        {{ kept }}, weight + more_{{ x }} * {{ x }} * {{ by }} as weight, leverage + {{ x }} * {{ x }} * {{ by }} as leverage,
        {%- for y in ys %}
        {{ y }}, {{ y }}_left - {{ x }} * {{ y }}_with_{{ x }} * {{ by }} as {{ y }}_left, {{ y }}_mean + more_{{ x }} * {{ y }}_with_{{ x }} * {{ by }} as {{ y }}_mean,
        {%- endfor %}
        {%- for other in rest %}
        x_{{ other }} - {{ x }} * x_{{ other }}_with_{{ x }} * {{ by }} as x_{{ other }}, more_x_{{ other }} - more_{{ x }} * x_{{ other }}_with_{{ x }} * {{ by }} as more_x_{{ other }}, size_x_{{ other }},
        {%- endfor %}
        slopes + case when squares_{{ x }} is null then 0 else 1 end as slopes
    from squares_{{ loop.index }}
),
{%- endfor %}
parts_of_errors as (
    select
        {{ kept }}, slopes,
        {%- for y in ys %}
        {{ y }}_mean,
        case when leverage < {{ sqlrec.double(1 - 1e-9) }} then weight * {{ y }}_left / sqrt(1 - leverage) end as {{ y }}_part,
        sqrt(abs(weight)) * ({{ y }} - {{ y }}_left - {{ y }}_mean) as {{ y }}_fit,
        {%- endfor %}
        case when weight < 0 then -1 else 1 end as side
    from residuals_{{ plan.numbers | length }}
)
select
    {{ groups | join(', ') }},
    max(users) as users, max(users) - count(distinct stratum) - max(slopes) as degrees_of_freedom,
    max(y_mean) as value,
    {{ sqlrec.variance_of('y', 'y') }} as variance,
    {%- if ys[1] is defined %}
    max(baseline_y_mean) as baseline_value,
    {{ sqlrec.variance_of('baseline_y', 'baseline_y') }} as baseline_variance,
    {{ sqlrec.variance_of('y', 'baseline_y') }} as covariance,
    {%- endif %}
    max(strangers) as strangers, max(users_unknown) as users_unknown, max(violations) as violations
from parts_of_errors
group by {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- A window over all users of the table who are in the same segments.
{% macro over_users(segments) -%}
over ({{ 'partition by ' ~ segments | join(', ') if segments }})
{%- endmacro %}

-- The variance of a mean, or the covariance of two means.
{% macro variance_of(one, other) -%}
(sum({{ one }}_part * {{ other }}_part) + sum(side * {{ one }}_fit * {{ other }}_fit) / max(all_users))
{%- endmacro %}
