-- Sought: where an item that a list repeats is to be found as often as it is there, one row per model,
-- user, cutoff, row of the truth that is relevant or has a relevance above 0, and place of its item; and
-- one where it has no place.
--
--   k, item_id, relevance, relevant   as in rows/evaluated.sql and rows/relevant.sql
--
-- Sought counts: how many that are, relevant_items and ideal_items, one row per model, user and cutoff.
--
-- plan.duplicates says which places: `outer`, all of the list; `outer_in_k`, those within the cutoff; and
-- `crossed`, those too, but each as often as the list has the item times as often as the truth has it,
-- since some library joins both once more than it has to.

{% macro sought(plan) %}
{% set keys = plan['keys'] %}
{% if plan.duplicates == 'crossed' %}
crossed as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.item_id as item_id,
        listed.rank as rank
    from listed
    join listed as again
        on {{ sqlrec.same(keys, 'again', 'listed') }}
        and again.item_id = listed.item_id
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
{% endif %}
sought as (
    select
        {{ sqlrec.taken(keys, 'evaluated_users') }},
        cutoffs.k as k,
        relevant.item_id as item_id,
        relevant.relevance as relevance,
        relevant.relevant as relevant
    from evaluated_users
    cross join cutoffs
    join relevant on relevant.user_id = evaluated_users.user_id
    left join {{ 'crossed as ' if plan.duplicates == 'crossed' }}listed
        on {{ sqlrec.same(keys, 'listed', 'evaluated_users') }}
        and listed.item_id = relevant.item_id
        {%- if plan.duplicates != 'outer' %}
        and listed.rank <= cutoffs.k
        {%- endif %}
    where relevant.relevance > 0 or relevant.relevant > 0
),
sought_counts as (
    select
        {{ sqlrec.names(keys) }},
        k,
        cast(sum(relevant) as bigint) as relevant_items,
        count(*) as ideal_items
    from sought
    group by {{ sqlrec.names(keys) }}, k
),
{% endmacro %}

-- Whether an item that a list repeats is to be found as often.
{% macro seeks_again(plan) -%}
{{ 'yes' if plan.duplicates in ['outer', 'outer_in_k', 'crossed'] }}
{%- endmacro %}

-- How many items of a kind a user has, at a cutoff: `relevant_items` or `ideal_items`.
{% macro items_of_user(plan, column) -%}
{{ 'coalesce(sought_counts.' ~ column ~ ', 0)' if sqlrec.seeks_again(plan) else 'evaluated_users.' ~ column }}
{%- endmacro %}
