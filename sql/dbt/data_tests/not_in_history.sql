-- No item is recommended to a user who already has it in the training data.
-- Fails with a row per recommendation that is in the history.
{% test not_in_history(model, history, user_id='user_id', item_id='item_id', history_user_id=none, history_item_id=none) %}
{{ adapter.dispatch('test_not_in_history', 'sqlrec')(model, history, user_id, item_id, history_user_id, history_item_id) }}
{% endtest %}
{% macro default__test_not_in_history(model, history, user_id, item_id, history_user_id, history_item_id) %}
{% set history_users = sqlrec.parts_of(history_user_id or user_id) %}
{% set item_id = sqlrec.identifier(item_id) %}
with recs as (
    select * from {{ model }}
)
select recs.*
from recs
where exists (
    select 1
    from {{ history }} as history
    where history.{{ sqlrec.identifier(history_item_id) if history_item_id else item_id }} = recs.{{ item_id }}
    {%- for name in sqlrec.parts_of(user_id) %}
        and history.{{ sqlrec.identifier(history_users[loop.index0]) }} = recs.{{ sqlrec.identifier(name) }}
    {%- endfor %}
)
{% endmacro %}
