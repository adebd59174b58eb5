-- listed: the users whose lists are read. A macro's name has the value; each is the query
-- `lists_given`.

-- all: all users.
{% macro listed__all(plan, lists) %}
lists_given as (
    select model, user_id, item_id, given_rank, score, row_order
    from recommended
),
{% endmacro %}

-- truth: users of the truth.
{% macro listed__truth(plan, lists) %}
-- The lists of users of the truth.
lists_given as (
    select model, user_id, item_id, given_rank, score, row_order
    from recommended
    where user_id is null or user_id in (select {{ plan.truth.columns.user_id }} from {{ plan.truth.relation }})
),
{% endmacro %}
