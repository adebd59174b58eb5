-- User weights: one row per user of the table that has the column of `weights`.
--
--   user_id          the user
--   weight           what the user counts as in means
--   several_weights  1 where rows of the user have different weights, or some have none, else 0
--
-- Weighted users: one row per user who is averaged over.
--
--   weight, several_weights   as above
--   violations                1 where the weight is missing, below 0, too large or not one, else 0
--
-- A weighted mean is sum(weight * value) / sum(weight): each metric has the weight beside its values, as metrics with
-- a macro <rows>__<metric>__weight have. What these weigh is multiplied by it.

{% macro user_weights(plan, used) %}
{% set weights = plan.user_weights %}
{% set table = plan[weights.table] %}
-- What each user counts as in means{{ ', of several weights the smallest' if not plan.audit }}.
user_weights as (
    select {{ sqlrec.named(table.columns.user_id, 'user_id') }},
        min({{ sqlrec.double(weights.column) }}) as weight
        {%- if plan.audit %},
        case
            when count({{ weights.column }}) = count(*) and min({{ weights.column }}) = max({{ weights.column }}) then 0
            when count({{ weights.column }}) = 0 then 0
            else 1
        end as several_weights
        {%- endif %}
    from {{ table.relation }}
    group by {{ table.columns.user_id }}
),
{% endmacro %}

-- The values of a kind with the weights of users: `names` are the columns that tell values from others, and `columns`
-- those of metrics and their parts.
{% macro weighted_values(plan, kind, names, columns) %}
{% set unweighted = kind.name ~ '_unweighted' %}
{% set own = [] %}
{% for metric in kind.metrics %}{% set _ = own.append(metric.column ~ '_weight') %}{% endfor %}
-- Each user's values, with the user's weight.
{{ kind.name }}_values as (
    select
        {{ sqlrec.taken(names + columns | reject('in', own) | list, unweighted) }},
        {%- for weight in own %}
        {{ unweighted ~ '.' ~ weight ~ ' * ' if weight in columns }}user_weights.weight as {{ weight }}{{ ',' if plan.audit or not loop.last }}
        {%- endfor %}
        {%- if plan.audit %}
        user_weights.weight as user_weight,
        coalesce(user_weights.several_weights, 0) as several_weights
        {%- endif %}
    from {{ unweighted }}
    left join user_weights on user_weights.user_id = {{ unweighted }}.user_id
),
{%- endmacro %}

{% macro weighted_users(plan) %}
-- The users who are averaged over, each with its weight.
weighted_users as (
    select user_id, max(user_weight) as weight, max(several_weights) as several_weights,
        case when max(user_weight) >= 0 and max(user_weight) <= {{ sqlrec.double(1e100) }} and max(several_weights) = 0 then 0 else 1 end as violations
    from (
        {%- for kind in plan.kinds %}
        {{ 'union all' if not loop.first }}
        select user_id, user_weight, several_weights from {{ kind.name }}_values
        {%- endfor %}
    ) as users_of_kinds
    group by user_id
),
-- Somebody has a weight above 0.
weighted_totals as (
    select case when max(weight) = 0 then 1 else 0 end as violations
    from weighted_users
),
{% endmacro %}

-- Users whose weights break a rule: further rows of broken_rules.
{% macro weight_violations(plan) %}
{%- set rule = 'select \'' ~ plan.user_weights.table ~ '_' %}
    union all
    {{ rule }}unweighted' as violation, user_id, null as item_id, 0 as rank from weighted_users where several_weights = 0 and weight is null
    union all
    {{ rule }}several_weights' as violation, user_id, null as item_id, 0 as rank from weighted_users where several_weights = 1
    union all
    {{ rule }}weight' as violation, user_id, null as item_id, 0 as rank from weighted_users where violations = 1 and several_weights = 0 and weight is not null
    union all
    {{ rule }}weights_zero' as violation, null as user_id, null as item_id, 0 as rank from weighted_totals where violations = 1
{%- endmacro %}

-- The metrics that are means over users by weights, of which each user can have one: a label a line.
{% macro weighted_means(plan) %}
{% for kind in plan.kinds if kind.of_users %}
{% for metric in kind.metrics if sqlrec.which_mean(metric) == 'weighted' %}
{{ metric.label }}
{% endfor %}
{% endfor %}
{% endmacro %}
