-- Baseline listed, baseline lists: the lists of another model, one for each user; columns as in
-- rows/listed.sql.

{% macro baseline(plan) %}
{% if plan.baseline %}
{{ sqlrec.ranked_lists(
    plan, 'baseline_', [plan.baseline], ['user_id'],
    plan.baseline.order, plan.baseline.check_order, plan.baseline.scored
) }}
{% endif %}
{% endmacro %}
