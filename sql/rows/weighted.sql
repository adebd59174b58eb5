-- User weights: one row per user of the table that has the column of `weights`.
--
--   user_id          the user
--   weight           the user's weight in means
--   several_weights  1 if rows of the user have different weights, or if some rows have no weight;
--                    else 0
--
-- Weighted users: one row per user of the means.
--
--   weight, several_weights   as above
--   violations                1 if the weight is missing, below 0, too large or differs between
--                             rows, else 0
--
-- A weighted mean is sum(weight * value) / sum(weight). Values get a column of weights, as for
-- metrics with a macro <rows>__<metric>__weight. If a metric has this macro, its weight is
-- multiplied by the user's weight.

{% macro user_weights(plan) %}
{% set weights = plan.user_weights %}
{% set table = plan[weights.table] %}
-- The weight of each user in means{{ ', the smallest if there are several' if not plan.audit }}.
user_weights as (
    select {{ sqlrec.with_alias(table.columns.user_id, 'user_id') }},
        min({{ sqlrec.double(weights.column) }}) as weight,
        case
            when count({{ weights.column }}) = count(*) and min({{ weights.column }}) = max({{ weights.column }}) then 0
            when count({{ weights.column }}) = 0 then 0
            else 1
        end as several_weights
    from {{ table.relation }}
    group by {{ table.columns.user_id }}
),
{% endmacro %}

-- The values of a kind with the weights of users: `names` are the key columns, and `columns` the
-- metrics and their parts.
{% macro weighted_values(plan, kind, names, columns) %}
{% set unweighted = kind.name ~ '_unweighted' %}
{% set own = [] %}
{% for metric in kind.metrics %}{% set _ = own.append(metric.column ~ '_weight') %}{% endfor %}
-- Each user's values, with the user's weight.
{{ kind.name }}_values as (
    select
        {{ sqlrec.columns_of(names + columns | reject('in', own) | list, unweighted) }},
        {%- for weight in own %}
        {{ unweighted ~ '.' ~ weight ~ ' * ' if weight in columns }}user_weights.weight as {{ weight }},
        {%- endfor %}
        user_weights.weight as user_weight,
        coalesce(user_weights.several_weights, 0) as several_weights
    from {{ unweighted }}
    left join user_weights on user_weights.user_id = {{ unweighted }}.user_id
),
{%- endmacro %}

{% macro weighted_users(plan) %}
-- The users of the means, with their weights.
weighted_users as (
    select user_id, max(user_weight) as weight, max(several_weights) as several_weights,
        case when max(user_weight) >= 0 and max(user_weight) <= 1e100 and max(several_weights) = 0 then 0 else 1 end as violations
    from (
        {%- for kind in plan.kinds %}
        {{ 'union all' if not loop.first }}
        select user_id, user_weight, several_weights from {{ kind.name }}_values
        {%- endfor %}
    ) as users_of_kinds
    group by user_id
),
-- 1 if all weights are 0.
weighted_totals as (
    select case when max(weight) = 0 then 1 else 0 end as violations
    from weighted_users
),
{% endmacro %}
