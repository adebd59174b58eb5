-- Each rank of a list has one item. Fails with a row per rank that has several items, and per rank
-- that is null or below 1.
{% test unique_ranks(model, user_id='user_id', rank='rank', model_column=none) %}
{{ adapter.dispatch('test_unique_ranks', 'sqlrec')(model, user_id, rank, model_column) }}
{% endtest %}
{% macro default__test_unique_ranks(model, user_id, rank, model_column) %}
{% set keys = sqlrec.list_columns(user_id, model_column) %}
{% set rank = sqlrec.identifier(rank) %}
select {{ keys }}, {{ rank }}, count(*) as items
from {{ model }}
group by {{ keys }}, {{ rank }}
having count(*) > 1 or {{ rank }} is null or {{ rank }} < 1
{% endmacro %}
