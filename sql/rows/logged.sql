-- Decisions: one row per logged decision.
--
--   user_id             the user; only if lists or segments need it
--   item_id             the item shown; only if recs are passed
--   position            the position at which the item was shown, from 1; read with recs if logs has the column, and
--                       with slate_id
--   slate_id            the list that was shown at once, with each position once; for metrics of slates
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
--   user_reward         the sum of weight * reward over the decisions of the user, or of this
--                       decision without a user; only for standard errors, like the next two
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
--                       are 0
--   recommended         number of items within k in the lists of the segment; constant for a
--                       segment

{% macro decisions(plan) %}
-- Every logged decision.
decisions_taken as (
    select
        {% for column in ['user_id', 'item_id', 'slate_id', 'position', 'target_probability', 'reward', 'propensity', 'predicted_reward', 'expected_reward'] %}
        {{ sqlrec.decision_column(plan, column) | trim }}{{ ',' if not loop.last }}
        {% endfor %}
    from {{ plan.logs.relation }}
),
{{ '-- Each decision, with the number of broken rules.' if plan.audit }}
decisions as (
    select user_id, item_id, slate_id, position, target_probability, reward, propensity, predicted_reward, expected_reward,
        {%- for column in sqlrec.required_of_logs(plan) %}
        {{ '+ ' if not loop.first }}case when {{ column }} is null then 1 else 0 end{{ ' as violations' if loop.last }}
        {%- endfor %}
    from decisions_taken
),
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

-- A column of a decision, as an entry of a select; null if it is not read, or breaks a rule and rows are checked.
-- NaN is out of bounds, like a propensity so small that its inverse could overflow a sum.
{% macro decision_column(plan, column) %}
{% set given = plan.logs.columns[column] %}
{% if column == 'user_id' and given %}
{{ sqlrec.with_alias(given, column) }}
{% elif column not in sqlrec.required_of_logs(plan) %}
{{ 'null' if column in ['user_id', 'item_id', 'slate_id'] else 'cast(null as bigint)' if column == 'position' else 'cast(null as double)' }} as {{ column }}
{% elif column == 'item_id' or column == 'slate_id' and not plan.audit %}
{{ sqlrec.with_alias(given, column) }}
{% elif not plan.audit %}
{{ sqlrec.double(given) if column != 'position' else 'cast(' ~ given ~ ' as bigint)' }} as {{ column }}
{% elif column == 'slate_id' %}
{% set position = plan.logs.columns.position %}
case
            when lag({{ position }}) over (partition by {{ given }} order by {{ position }} asc) = {{ position }} then null
            else {{ given }}
        end as slate_id
{% elif column == 'position' %}
case when {{ given }} >= 1 then cast({{ given }} as bigint) end as position
{% else %}
{% set bounds = {'propensity': [1e-100, 1], 'target_probability': [0, 1]} %}
{% set least, most = bounds.get(column, [-1e100, 1e100]) %}
{% set number = sqlrec.double(given) %}
case
            when {{ number }} between {{ sqlrec.double(least) }} and {{ sqlrec.double(most) }}
            then {{ number }}
        end as {{ column }}
{% endif %}
{% endmacro %}

-- Broken rules in logs.
{% macro decision_violations(plan) %}
{% set columns = sqlrec.required_of_logs(plan) %}
    {%- for column in columns %}
    union all
    select
        'logs_{{ column }}' as violation,
        {{ sqlrec.with_alias('user_id' if 'user_id' in columns else 'null', 'user_id') }},
        {{ sqlrec.with_alias('item_id' if 'item_id' in columns else 'null', 'item_id') }},
        0 as rank,
        null as model
    from decisions
    where {{ column }} is null
    {%- endfor %}
{%- endmacro %}

{% macro logged(plan, kind, used) %}
{% set keys = plan.group_columns | join(', ') %}
{% set units = plan.by | selectattr('in_result', 'equalto', false) | map(attribute='name') | list %}
{% set segment = plan.group_columns | reject('in', units) | join(', ') %}
{% if plan.logs.target == 'recs' %}
-- The number of items of the lists.
recommended_ranks as (
    select {{ keys }}, sum(list_length) as recommended
    from recommended_lists
    group by {{ keys }}
),
{% endif %}
-- The number of decisions.
decision_counts as (
    select count(*) as counted
    from decisions
),
-- Each decision, with the probability that the evaluated policy takes it.
target_decisions as (
    select models.model, cutoffs.k,
        {% for segment in plan.by %}{{ segment.table }}_segments.{{ segment.name }}, {% endfor %}
        decisions.user_id, decisions.slate_id, decisions.position, decisions.reward, decisions.propensity,
        decisions.predicted_reward, decisions.expected_reward,
        decision_counts.counted,
        {% if plan.logs.target == 'recs' %}
        cast(recommended_ranks.recommended as double) as recommended,
        cast(case when listed.rank <= cutoffs.k then 1 else 0 end as double) as target_probability
        {% else %}
        cast(null as double) as recommended,
        decisions.target_probability
        {% endif %}
    from decisions
    cross join models
    cross join cutoffs
    cross join decision_counts
    {{- sqlrec.account_joins(plan, 'decisions') }}
    {{ sqlrec.lists_of_decisions(plan) if plan.logs.target == 'recs' }}
    {{ sqlrec.where_requested(plan, kind, 'cutoffs') }}
),
-- Each decision, with its weight.
weighed_decisions as (
    select {{ keys }}, user_id, slate_id, position, reward, propensity, predicted_reward, expected_reward,
        target_probability, recommended, counted,
        target_probability / propensity as weight
    from target_decisions
),
-- Each decision, with the sums of its user and of all decisions.
summed_decisions as (
    select {{ keys }}, user_id, slate_id, position, reward, propensity, predicted_reward, expected_reward,
        target_probability, weight, recommended,
        nullif(sum(weight) over (partition by {{ segment }}), 0) / count(*) over (partition by {{ segment }}) as mean_weight,
        sum(weight * (reward - predicted_reward)) over (partition by {{ segment }})
            / nullif(sum(weight) over (partition by {{ segment }}), 0) as correction,
        case when user_id is null then weight * reward else sum(weight * reward) over (partition by {{ keys }}, user_id) end as user_reward,
        case when user_id is null then weight else sum(weight) over (partition by {{ keys }}, user_id) end as user_weight,
        case when user_id is null then cast(1 as double) else cast(count(*) over (partition by {{ keys }}, user_id) as double) end as user_decisions,
        {{ 'count(*) over (partition by ' ~ keys ~ ')' if plan.by else 'counted' }} as users_evaluated,
        0 as short_lists,
        0 as ties_at_cutoff
    from weighed_decisions
),
{{ sqlrec.slates_of_decisions(plan) }}
{% endmacro %}

-- The ranks of decisions in lists, and the numbers of items.
{% macro lists_of_decisions(plan) %}
    left join listed
        on listed.model = models.model and listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
        {{ 'and listed.rank = decisions.position' if plan.logs.columns.position }}
    left join recommended_ranks
        on recommended_ranks.model = models.model and recommended_ranks.k = cutoffs.k
        {%- for segment in plan.by %}
        and {{ sqlrec.same_or_null('recommended_ranks.' ~ segment.name, segment.table ~ '_segments.' ~ segment.name) }}
        {%- endfor %}
{% endmacro %}

-- Decisions with the weights of their slates. A product is computed from the sum of logarithms, in
-- which a factor of 0 is -1000000. Products and weighted rewards are limited, so they stay finite.
{% macro slates_of_decisions(plan) %}
{% set keys = plan.group_columns | join(', ') %}
{% set columns = 'user_id, slate_id, position, reward, propensity, predicted_reward, expected_reward, target_probability, weight, recommended,
        mean_weight, correction, user_reward, user_weight, user_decisions, users_evaluated, short_lists, ties_at_cutoff' %}
{% set factor = 'coalesce(ln(nullif(weight, 0)), -1000000)' %}
-- Each decision, with the sums of the logarithms of weights over its slate.
slate_logarithms as (
    select {{ keys }}, {{ columns }},
        cast(count(*) over (partition by {{ keys }}, slate_id) as double) as slate_length,
        sum({{ factor }}) over (partition by {{ keys }}, slate_id) as log_slate_weight,
        sum({{ factor }}) over (
            partition by {{ keys }}, slate_id order by position rows between unbounded preceding and current row
        ) as log_cascade_weight,
        coalesce(
            sum({{ factor }}) over (
                partition by {{ keys }}, slate_id order by position rows between unbounded preceding and 1 preceding
            ),
            0
        ) as log_weight_above
    from summed_decisions
),
-- Each decision, with its products of weights.
slate_products as (
    select {{ keys }}, {{ columns }}, slate_length,
        case when log_slate_weight > -600 then exp(least(log_slate_weight, 460)) else 0 end as slate_weight,
        case when log_cascade_weight > -600 then exp(least(log_cascade_weight, 460)) else 0 end as cascade_weight,
        case when log_weight_above > -600 then exp(least(log_weight_above, 460)) else 0 end as weight_above
    from slate_logarithms
),
-- Each decision, with its weights, their sums and means.
logged as (
    select {{ keys }}, {{ columns }}, slate_length, slate_weight, cascade_weight, weight_above,
        {% for name in ['weight', 'slate_weight', 'cascade_weight'] %}
        {{ name }} / nullif(avg({{ name }}) over (partition by {{ keys }}, position), 0) as normalized_{{ name }},
        sum({{ name }} * reward) over (partition by {{ keys }}, position)
            / nullif(sum({{ name }}) over (partition by {{ keys }}, position), 0) as mean_reward_by_{{ name }}{{ ',' if not loop.last }}
        {% endfor %}
    from slate_products
),
{% endmacro %}

-- Two values are equal, or both null: a condition that engines can join by.
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
