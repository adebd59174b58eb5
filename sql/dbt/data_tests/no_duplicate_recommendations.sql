-- No list contains an item twice. Fails with a row per item that a list repeats.
{% test no_duplicate_recommendations(model, user_id='user_id', item_id='item_id', model_column=none) %}
{{ adapter.dispatch('test_no_duplicate_recommendations', 'sqlrec')(model, user_id, item_id, model_column) }}
{% endtest %}
{% macro default__test_no_duplicate_recommendations(model, user_id, item_id, model_column) %}
{% set keys = sqlrec.list_columns(user_id, model_column) %}
select {{ keys }}, {{ sqlrec.identifier(item_id) }}, count(*) as repeats
from {{ model }}
group by {{ keys }}, {{ sqlrec.identifier(item_id) }}
having count(*) > 1
{% endmacro %}
