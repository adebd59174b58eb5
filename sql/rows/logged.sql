-- Decisions: one row per logged decision.
--
--   user_id             the user; only if lists or segments need it
--   item_id             the item shown; only if recs are passed
--   position            the position at which the item was shown, from 1; it is read with slate_id,
--                       and with recs if logs has the column
--   slate_id            the list that was shown at once, in which each position occurs once; for
--                       metrics of slates
--   reward              the outcome
--   propensity          the probability with which the logging policy took the action, above 0 and at most 1
--   target_probability  the probability with which the evaluated policy would take the action, if logs has the column
--   predicted_reward    a reward model's prediction for the action
--   expected_reward     the model's mean prediction under the evaluated policy
--   violations          number of these columns that are missing or out of bounds
--
-- Logged: one row per model, cutoff and logged decision, with the numbers above, and
--
--   model               the model with the lists of the evaluated policy, if there are several
--   <segment>           the segment of the decision's user
--   k                   the cutoff
--   target_probability  with recs, 1 if the item is in the user's list within k, at the decision's
--                       position if logs has it; else 0
--   weight              target_probability / propensity
--   user_reward         the sum of weight * reward over the decisions of the user, or only this
--                       decision if it has no user; this column and the next two are only for
--                       standard errors
--   user_weight         the sum of weight over these decisions
--   user_decisions      the number of these decisions
--   users_evaluated     number of decisions in the segment; constant for a segment
--   mean_weight         the mean of weight over the segment; constant for a segment, null instead
--                       of 0
--   correction          the mean error of the reward model, weighted by weight; constant for a
--                       segment
--   slate_length        number of positions of the decision's slate
--   slate_weight        the product of weight over the slate
--   cascade_weight      the product of weight from the top of the slate to the decision
--   weight_above        the same product down to the position above, 1 at the top
--   normalized_weight, normalized_slate_weight, normalized_cascade_weight
--                       the weight divided by its mean at the decision's position; null if the mean is 0
--   mean_reward_by_weight, mean_reward_by_slate_weight, mean_reward_by_cascade_weight
--                       the mean reward at the decision's position with these weights; null if all
--                       weights are 0
--   recommended         number of items within k in the lists of the segment; constant for a
--                       segment
--
-- Each query reads the query before:
--
--   decisions_taken, decisions_within_bounds (only if rows are checked), decisions
--   target_decisions    also reads listed, recommended_ranks and decision_counts
--   weighed_decisions, summed_decisions, slate_products, logged

-- If rows are checked, a number out of bounds is null. NaN is out of bounds. A propensity is out of
-- bounds if its inverse could overflow a sum.
{% macro decisions(plan) %}
{% set required, given = sqlrec.required_of_logs(plan), {} %}
{% for column in ['user_id', 'item_id', 'slate_id', 'position', 'target_probability', 'reward', 'propensity', 'predicted_reward', 'expected_reward'] %}
{% set missing = 'null' if column in ['user_id', 'item_id', 'slate_id'] else 'cast(null as double)' %}
{% set _ = given.update({column: plan.logs.columns[column] if column in required + ['user_id'] and plan.logs.columns[column] else missing}) %}
{% endfor %}
-- Every logged decision.
decisions_taken as (
    select {% for column, expression in given.items() %}{{ expression }} as {{ column }}{{ ', ' if not loop.last }}{% endfor %}

    from {{ plan.logs.relation }}
),
{% if plan.audit %}
-- Numbers that are out of bounds, and repeated positions of a slate, become null.
decisions_within_bounds as (
    select user_id, item_id,
        case when lag(position) over (partition by slate_id order by position asc) = position then null else slate_id end as slate_id,
        case when position >= 1 then cast(position as bigint) end as position,
        case when cast(target_probability as double) between 0e0 and 1e0 then cast(target_probability as double) end as target_probability,
        case when cast(reward as double) between -1e100 and 1e100 then cast(reward as double) end as reward,
        case when cast(propensity as double) between 1e-100 and 1e0 then cast(propensity as double) end as propensity,
        case when cast(predicted_reward as double) between -1e100 and 1e100 then cast(predicted_reward as double) end as predicted_reward,
        case when cast(expected_reward as double) between -1e100 and 1e100 then cast(expected_reward as double) end as expected_reward
    from decisions_taken
),
-- Each decision, with the number of broken rules.
decisions as (
    select *,
        {%- for column in required %}
        {{ '+ ' if not loop.first }}case when {{ column }} is null then 1 else 0 end{{ ' as violations' if loop.last }}
        {%- endfor %}
    from decisions_within_bounds
),
{% else %}
decisions as (
    select user_id, item_id, slate_id,
        cast(position as bigint) as position,
        cast(target_probability as double) as target_probability,
        cast(reward as double) as reward,
        cast(propensity as double) as propensity,
        cast(predicted_reward as double) as predicted_reward,
        cast(expected_reward as double) as expected_reward
    from decisions_taken
),
{% endif %}
{% endmacro %}

-- The columns of logs that metrics read; each is required.
{% macro required_of_logs(plan) %}
{% set columns, of_lists = plan.logs.columns, plan.logs.target == 'recs' %}
{% set required = {
    'user_id': of_lists or plan.by,
    'item_id': of_lists,
    'slate_id': columns.slate_id,
    'position': columns.position and (of_lists or columns.slate_id),
    'target_probability': plan.logs.target == 'target_probability',
    'reward': columns.reward, 'propensity': columns.propensity,
    'predicted_reward': columns.predicted_reward, 'expected_reward': columns.expected_reward,
} %}
{% set names = [] %}
{% for name, is_required in required.items() if is_required %}{% set _ = names.append(name) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

{% macro logged(plan, kind, used) %}
{% set units = plan.by | selectattr('in_result', 'equalto', false) | map(attribute='name') | list %}
{% set segment = plan.group_columns | reject('in', units) | join(', ') %}
-- The number of decisions.
decision_counts as (
    select count(*) as counted
    from decisions
),
{% if plan.logs.target == 'recs' %}
-- The number of items of the lists.
recommended_ranks as (
    select {{ plan.row_keys }}, sum(list_length) as recommended
    from recommended_lists
    group by {{ plan.row_keys }}
),
-- Each decision, with the probability that the lists take it.
target_decisions as (
    select models.model, cutoffs.k,
        {% for segment in plan.by %}{{ segment.table }}_segments.{{ segment.name }}, {% endfor %}
        decisions.user_id, decisions.slate_id, decisions.position, decisions.reward, decisions.propensity,
        decisions.predicted_reward, decisions.expected_reward,
        decision_counts.counted,
        cast(recommended_ranks.recommended as double) as recommended,
        cast(case when listed.rank <= cutoffs.k then 1 else 0 end as double) as target_probability
    from decisions
    cross join models
    cross join cutoffs
    cross join decision_counts
    {{- sqlrec.account_joins(plan, 'decisions') }}
    left join listed
        on listed.model = models.model and listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
        {{ 'and listed.rank = decisions.position' if plan.logs.columns.position }}
    left join recommended_ranks
        on recommended_ranks.model = models.model and recommended_ranks.k = cutoffs.k
        {%- for segment in plan.by %}
        and {{ sqlrec.same_or_null('recommended_ranks.' ~ segment.name, segment.table ~ '_segments.' ~ segment.name) }}
        {%- endfor %}

),
{% else %}
-- Each decision, with the probability that the evaluated policy takes it.
target_decisions as (
    select models.model, cutoffs.k,
        {% for segment in plan.by %}{{ segment.table }}_segments.{{ segment.name }}, {% endfor %}
        decisions.user_id, decisions.slate_id, decisions.position, decisions.reward, decisions.propensity,
        decisions.predicted_reward, decisions.expected_reward,
        decision_counts.counted,
        cast(null as double) as recommended,
        decisions.target_probability
    from decisions
    cross join models
    cross join cutoffs
    cross join decision_counts
    {{- sqlrec.account_joins(plan, 'decisions') }}
),
{% endif %}
-- Each decision, with its weight. A logarithm of a weight of 0 is -1000000.
weighed_decisions as (
    select target_decisions.*,
        target_probability / propensity as weight,
        coalesce(ln(nullif(target_probability / propensity, 0)), -1000000) as log_weight
    from target_decisions
),
-- Each decision, with sums over its user and over all decisions, and sums of logarithms of weights
-- over its slate.
summed_decisions as (
    select weighed_decisions.*,
        nullif(sum(weight) over (partition by {{ segment }}), 0) / count(*) over (partition by {{ segment }}) as mean_weight,
        sum(weight * (reward - predicted_reward)) over (partition by {{ segment }})
            / nullif(sum(weight) over (partition by {{ segment }}), 0) as correction,
        case when user_id is null then weight * reward else sum(weight * reward) over (partition by {{ plan.row_keys }}, user_id) end as user_reward,
        case when user_id is null then weight else sum(weight) over (partition by {{ plan.row_keys }}, user_id) end as user_weight,
        case when user_id is null then cast(1 as double) else cast(count(*) over (partition by {{ plan.row_keys }}, user_id) as double) end as user_decisions,
        {{ 'count(*) over (partition by ' ~ plan.row_keys ~ ')' if plan.by else 'counted' }} as users_evaluated,
        0 as short_lists,
        0 as ties_at_cutoff,
        cast(count(*) over (partition by {{ plan.row_keys }}, slate_id) as double) as slate_length,
        sum(log_weight) over (partition by {{ plan.row_keys }}, slate_id) as log_slate_weight,
        sum(log_weight) over (
            partition by {{ plan.row_keys }}, slate_id order by position rows between unbounded preceding and current row
        ) as log_cascade_weight,
        coalesce(
            sum(log_weight) over (
                partition by {{ plan.row_keys }}, slate_id order by position rows between unbounded preceding and 1 preceding
            ),
            0
        ) as log_weight_above
    from weighed_decisions
),
-- Each decision, with the products of weights over its slate. Products and weighted rewards are limited, so they stay
-- finite.
slate_products as (
    select summed_decisions.*,
        case when log_slate_weight > -600 then exp(least(log_slate_weight, 460)) else 0 end as slate_weight,
        case when log_cascade_weight > -600 then exp(least(log_cascade_weight, 460)) else 0 end as cascade_weight,
        case when log_weight_above > -600 then exp(least(log_weight_above, 460)) else 0 end as weight_above
    from summed_decisions
),
-- Each decision, with its weights, and with their sums and means.
logged as (
    select slate_products.*
        {%- for name in ['weight', 'slate_weight', 'cascade_weight'] %},
        {{ name }} / nullif(avg({{ name }}) over (partition by {{ plan.row_keys }}, position), 0) as normalized_{{ name }},
        sum({{ name }} * reward) over (partition by {{ plan.row_keys }}, position)
            / nullif(sum({{ name }}) over (partition by {{ plan.row_keys }}, position), 0) as mean_reward_by_{{ name }}
        {%- endfor %}
    from slate_products
),
{% endmacro %}

-- A condition for joins: two values are equal, or both are null.
{% macro same_or_null(left, right) -%}
coalesce({{ sqlrec.string(left) }}, '') = coalesce({{ sqlrec.string(right) }}, '')
        and case when {{ left }} is null then 1 else 0 end = case when {{ right }} is null then 1 else 0 end
{%- endmacro %}

-- The effective sample size of weights (Kish 1965).
{% macro effective_decisions(weight='weight') -%}
{% set sum, squares = 'sum(' ~ weight ~ ')', 'sum(' ~ sqlrec.product(weight, weight) ~ ')' %}
{{ sqlrec.least(sqlrec.product(sum, sum), 'count(*) * ' ~ squares) }} / nullif({{ squares }}, 0)
{%- endmacro %}

-- The weight with the most factors among the weights that metrics read; it varies most.
{% macro widest_weight(named) %}
{{ return('slate_weight' if named | select('in', ['slate_weight', 'normalized_slate_weight']) | list
    else 'cascade_weight' if named | select('in', ['cascade_weight', 'normalized_cascade_weight']) | list
    else 'weight') }}
{% endmacro %}
