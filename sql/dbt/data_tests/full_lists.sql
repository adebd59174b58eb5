-- Every list has at least k items. Fails with a row per shorter list; users without a list are
-- tested by every_truth_user_has_list.
{% test full_lists(model, k, user_id='user_id', model_column=none) %}
{{ adapter.dispatch('test_full_lists', 'sqlrec')(model, k, user_id, model_column) }}
{% endtest %}
{% macro default__test_full_lists(model, k, user_id, model_column) %}
{% set keys = sqlrec.list_columns(user_id, model_column) %}
{#- It is pasted into the statement. -#}
{{ sqlrec.require(k is integer and k is not boolean and k >= 1, 'test_whole', name='k', value=k) }}
select {{ keys }}, count(*) as items
from {{ model }}
group by {{ keys }}
having count(*) < {{ k }}
{% endmacro %}
