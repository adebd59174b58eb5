-- Baseline listed, baseline lists: the lists of another model, one list for each user, with the columns of
-- rows/ranked_lists.sql.

{% macro baseline(plan) %}
{% set lists, plan = sqlrec.lists_of_baseline(plan, plan.used), dict(plan, used=[]) %}
{{ sqlrec.prefix_queries(sqlrec.ranked_lists(plan, lists) ~ sqlrec.lengths_of_lists(plan, lists), 'baseline_', {}, {}) }}
{% endmacro %}

-- The rules of recs apply to these lists, except values of ties that read the truth or share ranks.
-- They are read down to the largest rank that a metric needs.
{% macro lists_of_baseline(plan, used) %}
{{ return(sqlrec.derived_lists(plan, {
    'side': 'baseline_',
    'table': 'baseline',
    'title': "The baseline's lists",
    'sources': [plan.baseline],
    'list_keys': ['user_id'],
    'order': plan.baseline.order,
    'check_order': plan.baseline.check_order,
    'scored': 'score' in plan.baseline.needed,
    'ties': 'item_asc' if 'shares_discounts' in plan.properties.ties or 'reads_grades' in plan.properties.ties else plan.ties,
    'of_truth': false,
    'reach': sqlrec.name_suffixes(used, 'in_baseline_') | map('int') | max | default(0, true),
})) }}
{% endmacro %}
