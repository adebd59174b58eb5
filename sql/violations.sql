-- The broken rules, with an example for each. Error messages contain them if a result has
-- violations.
--
--   violation                the rule; its message is in sql/violations.toml
--   row_count                number of rows that break the rule
--   user_id, item_id, rank   one example; ids are text
--   model                    the example's model, null if there is only one model

{% macro violation_rows(plan) %}
{% set broken = (sqlrec.weighted_users(plan) if plan.user_weights else '') ~ sqlrec.broken_rules(plan) %}
-- The broken rules: the number of rows that break each, and one of them. Empty if no rule is
-- broken.
{{ sqlrec.query_of_values(plan, 'results', broken) if plan.user_weights else 'with\n' ~ sqlrec.queries_read(plan, broken) ~ broken }}
-- The first row of each rule is its example.
numbered as (
    select
        violation,
        {{ sqlrec.string('user_id') }} as user_id,
        {{ sqlrec.string('item_id') }} as item_id,
        rank,
        {{ sqlrec.string('model') }} as model,
        row_number() over (partition by violation order by rank asc, user_id asc, item_id asc, model asc) as number,
        count(*) over (partition by violation) as row_count
    from broken
)
select violation, row_count, user_id, item_id, rank, model
from numbered
where number = 1
{{ sqlrec.ending() }}
{% endmacro %}

-- Each row that breaks a rule.
{% macro broken_rules(plan) %}
-- Each row that breaks a rule.
broken as (
    select null as violation, null as user_id, null as item_id, 0 as rank, null as model from (select 0 as one) as no_rows where one = 1
    {{- sqlrec.list_violations(plan, 'recs', plan.recs_lists) if plan.recs }}
    {{- sqlrec.list_violations(plan, 'baseline', plan.baseline_lists) if plan.baseline }}
    {%- if plan.kinds | selectattr('truth') | list %}
    union all
    select 'truth_user' as violation, user_id, item_id, 0 as rank, null as model from relevant where user_id is null
    union all
    select 'truth_item' as violation, user_id, item_id, 0 as rank, null as model from relevant where item_id is null
    {%- if plan.checks_judgments_first %}
    union all
    select violation, user_id, item_id, 0 as rank, null as model from invalid_judgments
    {%- endif %}
    {%- if plan.truth.columns.relevance and not plan.checks_judgments_first %}
    union all
    select 'truth_relevance' as violation, user_id, item_id, 0 as rank, null as model from relevant where grade_invalid = 1
    {%- endif %}
    {%- if plan.checks_propensity and not plan.checks_judgments_first %}
    union all
    select 'truth_propensity' as violation, user_id, item_id, 0 as rank, null as model from relevant where propensity_invalid = 1
    {%- endif %}
    {%- if 'keeps_repeats' not in plan.properties.truth_duplicates %}
    union all
    select 'truth_twice' as violation, user_id, item_id, 0 as rank, null as model
    from relevant
    where user_id is not null and item_id is not null
    group by user_id, item_id
    having count(*) > 1
    {%- endif %}
    {%- endif %}
    {%- if plan.history %}
    union all
    select 'history_user' as violation, user_id, item_id, 0 as rank, null as model from interactions where user_id is null
    union all
    select 'history_item' as violation, user_id, item_id, 0 as rank, null as model from interactions where item_id is null
    {%- endif %}
    {%- if plan.catalog %}
    union all
    select 'catalog_item' as violation, null as user_id, item_id, 0 as rank, null as model from catalog_rows where violations > 0
    {%- endif %}
    {%- if plan['items'] %}
    {%- set named = [('price', 'mispriced'), ('distance', 'negative')] | selectattr(0, 'in', plan['items'].needed) | list %}
    union all
    select 'items_item' as violation, null as user_id, item_id, 0 as rank, null as model from item_attributes where item_id is null
    union all
    select 'items_value' as violation, null as user_id, item_id, 0 as rank, null as model
    from item_attributes
    where violations > {{ named | map(attribute=1) | join(' + ') or 0 }} and item_id is not null
    {%- for column, broken in named %}
    union all
    select 'items_{{ column }}' as violation, null as user_id, item_id, 0 as rank, null as model from item_attributes where {{ broken }} = 1 and item_id is not null
    {%- endfor %}
    {%- if 'price' in plan['items'].needed %}
    union all
    select violation, null as user_id, item_id, 0 as rank, null as model from unpriced
    {%- endif %}
    {%- endif %}
    {%- set columns = sqlrec.required_of_logs(plan) if plan.logs else [] %}
    {%- for column in columns %}
    union all
    select 'logs_{{ column }}' as violation, {{ 'user_id' if 'user_id' in columns else 'null as user_id' }}, item_id, 0 as rank, null as model
    from decisions
    where {{ column }} is null
    {%- endfor %}
    {%- if plan.user_weights %}
    union all
    select '{{ plan.user_weights.table }}_unweighted' as violation, user_id, null as item_id, 0 as rank, null as model
    from weighted_users
    where several_weights = 0 and weight is null
    union all
    select '{{ plan.user_weights.table }}_several_weights' as violation, user_id, null as item_id, 0 as rank, null as model
    from weighted_users
    where several_weights = 1
    union all
    select '{{ plan.user_weights.table }}_weight' as violation, user_id, null as item_id, 0 as rank, null as model
    from weighted_users
    where violations = 1 and several_weights = 0 and weight is not null
    union all
    select '{{ plan.user_weights.table }}_weights_zero' as violation, null as user_id, null as item_id, 0 as rank, null as model
    from weighted_totals
    where violations = 1
    {%- endif %}
    {%- for table in plan.segment_tables %}
    union all
    select '{{ table }}_segment' as violation, user_id, null as item_id, 0 as rank, null as model from {{ table }}_segments where violations > 0
    {%- endfor %}
),
{% endmacro %}

-- Broken rules in lists; `table` is the prefix of their names.
{% macro list_violations(plan, table, lists) %}
{%- set side, keys, order = lists.side, lists.list_keys, lists.order %}
{%- set model = 'model' if 'model' in keys else 'null as model' %}
    union all
    select '{{ table }}_user' as violation, user_id, item_id, rank, {{ model }} from {{ side }}listed where user_id is null
    {%- if 'model' in keys %}
    union all
    select '{{ table }}_model' as violation, user_id, item_id, rank, {{ model }} from {{ side }}listed where model is null
    {%- endif %}
    union all
    select '{{ table }}_item' as violation, user_id, item_id, rank, {{ model }} from {{ side }}listed where item_id is null
    {%- if 'keeps_repeats' not in plan.properties.duplicates %}
    union all
    select '{{ table }}_twice' as violation, user_id, item_id, max(rank) as rank, {{ model }}
    from {{ side }}listed
    where user_id is not null and item_id is not null
    group by {{ keys | join(', ') }}, item_id
    having count(*) > 1
    {%- endif %}
    {%- if lists.rules_of_rows %}
    union all
    select violation, user_id, item_id, rank, {{ model }} from {{ side }}invalid_rows
    {%- elif order == 'rank' or plan.null_scores == 'error' %}
    union all
    select '{{ table }}_{{ order }}' as violation, user_id, item_id, {{ 'given_rank as rank' if order == 'rank' else 'rank' }}, {{ model }} from {{ side }}listed where rank_invalid = 1
    {%- endif %}
    {%- if order == 'rank' %}
    union all
    select '{{ table }}_rank_twice' as violation, user_id, max(item_id) as item_id, rank, {{ model }}
    from {{ side }}listed
    where rank is not null
    group by {{ keys | join(', ') }}, rank
    having count(*) > 1
    {%- endif %}
    {%- if lists.check_order %}
    union all
    select '{{ table }}_order' as violation, user_id, item_id, rank, {{ model }} from {{ side }}listed where order_conflict = 1
    {%- endif %}
    {%- if lists.scored %}
    union all
    select '{{ table }}_unscored' as violation, user_id, item_id, rank, {{ model }} from {{ side }}listed where {{ sqlrec.unscored(plan, order) }} = 1
    {%- endif %}
{%- endmacro %}
