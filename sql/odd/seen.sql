-- Lists without what a user has seen (plan.seen): `drop`, the items of the user's history; `self`, the item that the
-- user is, where lists have items that are similar to an item. The items below them move up.

-- The recommendations that are left of all that are given, with the columns of these.
{% macro unseen(plan, lists) %}
{% set all, by_row = lists.side ~ 'all_recommended', plan.duplicates in ['first', 'last'] %}
{% set is_seen = 'seen_items.item_id is not null' if plan.seen == 'drop' else all ~ '.item_id = ' ~ all ~ '.user_id' %}
{% set numbered = by_row and sqlrec.has_row_order(plan) %}
{% set others = {
    'score': lists.order == 'score' or lists.check_order or lists.scored,
    'repeat_number': numbered,
    'row_order': sqlrec.equals_by_row(lists) or by_row and not numbered,
} %}
{% set columns = lists.list_keys + ['item_id'] %}
{% for name, there in others.items() if there %}{% set _ = columns.append(name) %}{% endfor %}
-- Each recommendation, and whether it is {{ "in the user's history" if plan.seen == 'drop' else 'the user' }}.
{{ lists.side }}seen_or_not as (
    select
        {{ sqlrec.taken(columns + (['given_rank'] if lists.order == 'rank' else []), all) }},
        case when {{ is_seen }} then 1 else 0 end as is_seen
    from {{ all }}
    {%- if plan.seen == 'drop' %}
    left join (
        select distinct {{ sqlrec.named(plan.history.columns.user_id, 'user_id') }}, {{ sqlrec.named(plan.history.columns.item_id, 'item_id') }}
        from {{ plan.history.relation }}
    ) as seen_items
        on seen_items.user_id = {{ all }}.user_id
        and seen_items.item_id = {{ all }}.item_id
    {%- endif %}
),
{% if lists.order == 'rank' %}
-- Each rank, and how many such items are above it; a rank below 1 is no place.
{{ lists.side }}seen_above as (
    select *,
        sum(case when is_seen = 1 and given_rank >= 1 then 1 else 0 end) over (
            partition by {{ sqlrec.names(lists.list_keys) }}
            order by given_rank asc, is_seen asc, item_id asc rows between unbounded preceding and current row
        ) as items_seen
    from {{ lists.side }}seen_or_not
),
{% endif %}
-- The recommendations without those items{{ '; what is below moves up' if lists.order == 'rank' }}.
{{ lists.side }}recommended as (
    select {{ sqlrec.names(columns) }}{{ ', cast(given_rank - items_seen as bigint) as given_rank' if lists.order == 'rank' }}
    from {{ lists.side }}{{ 'seen_above' if lists.order == 'rank' else 'seen_or_not' }}
    where is_seen = 0
),
{% endmacro %}
