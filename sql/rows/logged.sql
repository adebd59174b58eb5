-- Decisions: one row per logged decision. What breaks a rule is null.
--
--   user_id             for whom; where lists or segments ask for it
--   item_id             what was done: the item shown; where lists ask for it
--   position            the place it stood at, from 1; where lists ask for it and logs has it
--   reward              what came of it
--   propensity          how likely the policy that took it was to take it, above 0 and at most 1
--   target_probability  how likely the other policy is to, where logs says so
--   predicted_reward    what a model of rewards says of it
--   expected_reward     what that model says of the other policy, on average over what it might do
--   violations          how many of these are missing or out of bounds
--
-- Logged: one row per model, cutoff and logged decision. The columns of numbers above, and
--
--   model               whose lists stand for the other policy, where several models are evaluated
--   <segment>           what `by` names, of the decision's user
--   k                   the cutoff
--   target_probability  with lists, 1 where the item is in the user's list within k, and at the
--                       decision's place where logs has one; else 0
--   weight              target_probability / propensity
--   user_reward         the sum of weight * reward over the decisions of the user; as the next two, where
--                       errors are asked, and where the user is not known of the decision alone
--   user_weight         the sum of weight over them
--   user_decisions      how many there are
--   users_evaluated     how many decisions there are in the segment; the same in all rows of it
--   recommended         how many places the lists of the segment have within k; the same in all rows

{% macro decisions(plan, used) %}
{% set columns = sqlrec.decision_columns(plan) %}
{% set whose = ['user_id'] if 'user_id' not in columns and (plan.terms or sqlrec.of_deciding_users(plan)) else [] %}
-- Every logged decision.
decisions_taken as (
    select
        {%- if whose %}
        {{ sqlrec.named(plan.logs.columns.user_id, 'user_id') }},
        {%- endif %}
        {%- for column in columns %}
        {{ sqlrec.decided(plan, column) | trim }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ plan.logs.relation }}
),
decisions as (
    select {{ sqlrec.names(whose + columns) }}
        {%- if plan.audit %},
        {%- for column in columns %}
        {{ '+ ' if not loop.first }}case when {{ column }} is null then 1 else 0 end{{ ' as violations' if loop.last }}
        {%- endfor %}
        {%- endif %}
    from decisions_taken
),
{% endmacro %}

-- Errors are of users: where logs names them.
{% macro of_deciding_users(plan) %}{{ return(plan.errors and plan.logs.columns.user_id is not none) }}{% endmacro %}

-- The columns that are read of logs, all of which have to be there.
{% macro decision_columns(plan) %}
{% set of_lists = plan.logs.target == 'recs' %}
{% set names = (['user_id'] if of_lists or plan.by else []) + (['item_id'] if of_lists else []) %}
{% set names = names + (['position'] if of_lists and plan.logs.columns.position else []) %}
{% set names = names + (['target_probability'] if plan.logs.target == 'target_probability' else []) %}
{% for name in ['reward', 'propensity', 'predicted_reward', 'expected_reward'] if plan.logs.columns[name] %}
{% set _ = names.append(name) %}
{% endfor %}
{{ return(names) }}
{% endmacro %}

-- A column of a decision, as an entry of a select. NaN is within no bounds. A propensity may be so
-- small that what is divided by it could not be added up.
{% macro decided(plan, column) %}
{% set given = plan.logs.columns[column] %}
{% if column in ['user_id', 'item_id'] %}
{{ sqlrec.named(given, column) }}
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

-- Broken rules of logs.
{% macro decision_violations(plan) %}
{% set columns = sqlrec.decision_columns(plan) %}
    {%- for column in columns %}
    union all
    select
        'logs_{{ column }}' as violation,
        {{ sqlrec.named('user_id' if 'user_id' in columns else 'null', 'user_id') }},
        {{ sqlrec.named('item_id' if 'item_id' in columns else 'null', 'item_id') }},
        0 as rank
    from decisions
    where {{ column }} is null
    {%- endfor %}
{%- endmacro %}

{% macro logged(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set keys = groups | reject('equalto', 'k') | list %}
{% set several = 'model' in keys %}
{% set columns = sqlrec.decision_columns(plan) %}
{% set listed = plan.logs.target == 'recs' %}
{% set by_users = kind.weighed and sqlrec.of_deciding_users(plan) %}
{% set whose = by_users or plan.terms %}
{% set numbers = columns | reject('in', ['user_id', 'item_id', 'position', 'target_probability']) | list %}
{% set used = used + (['weight'] if kind.weighed and (plan.audit or by_users) else []) + (['reward'] if by_users else []) %}
{% set weight = sqlrec.targeted(plan) ~ ' / decisions_counted.propensity' %}
{% set of_decision = {} %}
{% set _ = of_decision.update(sqlrec.each(keys, 'decisions_counted.{}')) %}
{% if whose %}{% set _ = of_decision.update({'user_id': 'decisions_counted.user_id'}) %}{% endif %}
{% if not plan.k %}{% set _ = of_decision.update({'k': 'cutoffs.k'}) %}{% endif %}
{% set _ = of_decision.update(sqlrec.each(numbers, 'decisions_counted.{}')) %}
{% set _ = of_decision.update({
    'target_probability': sqlrec.targeted(plan) if plan.logs.target else none,
    'weight': weight if kind.weighed else none,
    'user_reward': weight ~ ' * decisions_counted.reward' if not by_users else none,
    'user_weight': weight if not by_users else none,
    'user_decisions': sqlrec.double(1) if not by_users else none,
    'recommended': sqlrec.double('recommended_places.recommended'),
    'users_evaluated': 'decisions_counted.users_evaluated',
    'short_lists': '0',
    'ties_at_cutoff': '0',
}) %}
{% set named = used + groups + (['user_id'] if whose else []) + sqlrec.accounts(plan, used) %}
{% if 'recommended' in used %}
recommended_places as (
    select {{ sqlrec.names(groups) ~ ', ' if groups }}sum(list_length) as recommended
    from shown_lists
    {{ 'group by ' ~ sqlrec.names(groups) if groups }}
),
{% endif %}
-- Each decision{{ ', with the place that a list gives its item' if listed }}.
decisions_counted as (
    select
        {{ 'models.model as model,' if several }}
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        {%- if listed %}
        listed.rank as rank,
        {%- elif plan.logs.target %}
        decisions.target_probability as target_probability,
        {%- endif %}
        {%- for column in (['user_id'] if whose else []) + numbers %}
        decisions.{{ column }} as {{ column }},
        {%- endfor %}
        {%- if plan.by %}
        count(*) over (
            partition by {{ 'models.model, ' if several }}
            {%- for segment in plan.by %}{{ segment.table }}_segments.{{ segment.name }}{{ ', ' if not loop.last }}{% endfor %}
        ) as users_evaluated
        {%- else %}
        decision_counts.counted as users_evaluated
        {%- endif %}
    from decisions
    {{ 'cross join (select count(*) as counted from decisions) as decision_counts' if not plan.by }}
    {{ 'cross join models' if several }}
    {%- if listed %}
    left join listed
        on listed.user_id = decisions.user_id
        and listed.item_id = decisions.item_id
        {{ 'and listed.rank = decisions.position' if 'position' in columns }}
        {{ 'and listed.model = models.model' if several }}
    {%- endif %}
    {{- sqlrec.account_joins(plan, 'decisions') }}
),
{{ 'decisions_weighed' if by_users else 'logged' }} as (
    select {{ (sqlrec.chosen(of_decision, named) | trim)[1:] | trim }}
    from decisions_counted
    {{ 'cross join cutoffs' if not plan.k }}
    {%- if 'recommended' in used %}
    left join recommended_places
        on {{ 'recommended_places.k = cutoffs.k' if not plan.k else '1 = 1' }}
        {%- for key in keys %}
        and {{ sqlrec.same_or_null('recommended_places.' ~ key, 'decisions_counted.' ~ key) }}
        {%- endfor %}
    {%- endif %}
    {{ sqlrec.where_asked(plan, kind, 'cutoffs') }}
),
{% if by_users %}
{% set users = 'over (partition by ' ~ sqlrec.names(groups + ['user_id']) ~ ')' %}
{% set passed = of_decision.keys() | select('in', named) | reject('in', ['user_id', 'user_reward', 'user_weight', 'user_decisions']) | list %}
-- Each with what its user adds to sums; nobody's stands alone.
logged as (
    select
        {{ sqlrec.names(passed) }},
        case when user_id is null then weight * reward else sum(weight * reward) {{ users }} end as user_reward,
        case when user_id is null then weight else sum(weight) {{ users }} end as user_weight,
        case when user_id is null then {{ sqlrec.double(1) }} else {{ sqlrec.double('count(*) ' ~ users) }} end as user_decisions
    from decisions_weighed
),
{% endif %}
{% endmacro %}

{% macro logged_keys(plan, used) %}{{ return(sqlrec.groups(plan) + ['user_id'] if plan.terms else sqlrec.whole_groups(plan, used) + ['recommended'] | select('in', used) | list) }}{% endmacro %}

{% macro logged_population(plan) %}logs{% endmacro %}

-- How likely the other policy is to do what was done: an expression over a counted decision.
{% macro targeted(plan) -%}
{%- if plan.logs.target == 'recs' -%}
{{ sqlrec.indicator(sqlrec.within(plan, 'decisions_counted.rank', 'cutoffs')) }}
{%- else -%}
decisions_counted.target_probability
{%- endif -%}
{%- endmacro %}

-- Two values are equal, or both null: a condition that engines can join by.
{% macro same_or_null(left, right) -%}
coalesce({{ sqlrec.string(left) }}, '') = coalesce({{ sqlrec.string(right) }}, '')
        and case when {{ left }} is null then 1 else 0 end = case when {{ right }} is null then 1 else 0 end
{%- endmacro %}

-- How many decisions of equal weight say as much as these, by their weights (Kish 1965).
{% macro effective_decisions() -%}
{{ sqlrec.product('sum(weight)', 'sum(weight)') }} / nullif(sum({{ sqlrec.product('weight', 'weight') }}), 0)
{%- endmacro %}
