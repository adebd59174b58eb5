-- Baseline listed, baseline lists: the lists of another model, one for each user; columns as in
-- rows/listed.sql.

{% macro baseline(plan, used) %}
{% if plan.baseline %}
{% set baseline = plan.baseline %}
{% set lengths = sqlrec.lengths_of_lists(plan, 'baseline_', ['user_id'], baseline.order, baseline.check_order, baseline.scored, used) if 'baseline_list_lengths' in used else '' %}
{% set used = used + sqlrec.identifiers(lengths) %}
{% if 'baseline_listed' in used %}
{{ sqlrec.ranked_lists(plan, 'baseline_', [baseline], ['user_id'], baseline.order, baseline.check_order, baseline.scored, used) }}
{% elif 'baseline_recommended' in used %}
{{ sqlrec.recommended(plan, 'baseline_', [baseline], ['user_id'], baseline.order, baseline.check_order, baseline.scored, used, false, false) }}
{% endif %}
{{ lengths }}
{% endif %}
{% endmacro %}
