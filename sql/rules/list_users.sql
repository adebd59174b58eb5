-- list_users: the users with lists that are read. The macro `list_users__VALUE` is the query
-- `lists_read` for this value.

-- all: reads the lists of all users.
{% macro list_users__all(plan, lists) %}
lists_read as (
    select model, user_id, item_id, given_rank, score, row_order
    from recommended
),
{% endmacro %}

-- truth: reads only the lists of users of the truth.
{% macro list_users__truth(plan, lists) %}
-- The lists of users of the truth.
lists_read as (
    select recommended.model, recommended.user_id, recommended.item_id, recommended.given_rank, recommended.score, recommended.row_order
    from recommended
    left join (select distinct {{ plan.truth.columns.user_id }} as user_id from {{ plan.truth.relation }}) as judged on judged.user_id = recommended.user_id
    where recommended.user_id is null or judged.user_id is not null
),
{% endmacro %}
