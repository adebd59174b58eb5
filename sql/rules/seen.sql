-- seen: lists without the items that a user has seen; items below move up. The macro `seen__VALUE`
-- is the query `recommended` for this value, which reads all rows of recs.

-- keep: keeps items of the user's history in lists.
{% macro seen__keep(plan, lists) %}
-- Every recommendation.
recommended as (
    select model, user_id, item_id, given_rank, score, row_order
    from all_recommended
),
{% endmacro %}

-- drop: removes items of the user's history from lists.
{% macro seen__drop(plan, lists) %}
{% set columns = plan.history.columns %}
-- Each recommendation, and whether it is in the user's history.
seen_or_not as (
    select rows_given.model, rows_given.user_id, rows_given.item_id, rows_given.given_rank, rows_given.score, rows_given.row_order,
        case when seen_items.item_id is not null then 1 else 0 end as is_seen
    from all_recommended as rows_given
    left join (
        select distinct {{ columns.user_id }} as user_id, {{ columns.item_id }} as item_id
        from {{ plan.history.relation }}
    ) as seen_items on seen_items.user_id = rows_given.user_id and seen_items.item_id = rows_given.item_id
),
{{ sqlrec['unseen_by_' ~ lists.order](plan, lists) }}
{% endmacro %}

-- self: removes the user's own id from lists. Users are then items, and lists contain similar
-- items.
{% macro seen__self(plan, lists) %}
-- Each recommendation, and whether its item has the user's id.
seen_or_not as (
    select model, user_id, item_id, given_rank, score, row_order,
        case when item_id = user_id then 1 else 0 end as is_seen
    from all_recommended
),
{{ sqlrec['unseen_by_' ~ lists.order](plan, lists) }}
{% endmacro %}

{% macro unseen_by_score(plan, lists) %}
-- The recommendations without those items.
recommended as (
    select model, user_id, item_id, given_rank, score, row_order
    from seen_or_not
    where is_seen = 0
),
{% endmacro %}

{% macro unseen_by_rank(plan, lists) %}
-- Each rank, and the number of removed items above it; a rank below 1 is not valid.
seen_above as (
    select model, user_id, item_id, given_rank, score, row_order, is_seen,
        sum(case when is_seen = 1 and given_rank >= 1 then 1 else 0 end) over (
            partition by model, user_id
            order by given_rank asc, is_seen asc, item_id asc rows between unbounded preceding and current row
        ) as items_seen
    from seen_or_not
),
-- The recommendations without those items; items below them move up.
recommended as (
    select model, user_id, item_id, cast(given_rank - items_seen as bigint) as given_rank, score, row_order
    from seen_above
    where is_seen = 0
),
{% endmacro %}
