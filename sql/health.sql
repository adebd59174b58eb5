-- One row of counts for the lists, the truth and the history of a dataset, and for their common ids, in DuckDB.
-- plan.lists, plan.judged and plan.seen each contain a relation, its columns, and whether items are
-- lists; plan.judged and plan.seen may be none.

{% macro health(plan) %}
with
recommendations as (
    {%- for source in plan.lists %}
    {{ 'union all' if not loop.first }}
    select {{ source.model }} as model, {{ sqlrec.pair_of(source) }}
    {%- endfor %}
),
judged as ({{ sqlrec.pairs_or_none(plan.judged) }}),
seen as ({{ sqlrec.pairs_or_none(plan.seen) }}),
shown_users as (select distinct user_id from recommendations),
judged_users as (select distinct user_id from judged),
shown_items as (select distinct item_id from recommendations),
judged_items as (select distinct item_id from judged),
relevant_users as (select distinct user_id from judged where relevance > 0),
users_of_models as (
    select model, count(*) as users, count(*) filter (user_id in (select user_id from relevant_users)) as evaluated
    from (select distinct model, user_id from recommendations)
    group by model
)
select
    (select count(distinct model) from recommendations) as models,
    (select count(*) from shown_users) as users,
    (select count(*) from shown_items) as items,
    (select count(*) from recommendations) as rows,
    (select count(*) - count(distinct (model, user_id, item_id)) from recommendations) as repeats,
    (select count(*) from judged_users) as judged_users,
    (select count(*) from judged_items) as judged_items,
    (select count(*) from judged) as judged_rows,
    (select count(*) - count(distinct (user_id, item_id)) from judged) as judged_repeats,
    (select count(*) from judged_users where user_id in (select user_id from shown_users)) as users_in_both,
    (select count(*) from judged_items where item_id in (select item_id from shown_items)) as items_in_both,
    (select count(*) from (select user_id, item_id from judged intersect select user_id, item_id from seen)) as judged_seen,
    (select count(*) from (select user_id, item_id from recommendations intersect select user_id, item_id from seen)) as shown_seen,
    (select count(*) from relevant_users) as relevant_users,
    (select list((model, users, evaluated) order by model) from users_of_models) as users_of_models
{{ sqlrec.ending() }}
{% endmacro %}

-- The user and the item of a row; a list of items has a row for each item.
{% macro pair_of(source) %}
{{ source.user_id }} as user_id, {{ 'unnest(' ~ source.item_id ~ ')' if source.unnest else source.item_id }} as item_id from {{ source.relation }}
{%- endmacro %}

{% macro pairs_or_none(source) %}
select {{ source.relevance ~ ' as relevance, ' ~ sqlrec.pair_of(source) if source else '1 as relevance, ' ~ 'user_id, item_id from recommendations where false' }}
{%- endmacro %}
