-- Targets: one row per model, user, cutoff and relevant item of the user, whether or not the list has it.
-- A user with none has one row all the same, in which its columns are null.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   relevant_items  how many items are relevant to the user
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Row by row:
--
--   found           1 where the list has the item within k, else 0
--   item_users      how many users of the history had the item; 1 for an item without history

{% macro targets(plan, kind, used) %}
{% set keys = plan.list_keys %}
-- What each user wants, and where the list has it.
wanted_items as (
    select
        {{ 'models.model as model,' if 'model' in keys }}
        relevant.user_id as user_id,
        listed.rank as rank
        {{- sqlrec.chosen({'item_users': sqlrec.double('coalesce(item_counts.item_users, 1)')}, used) }}
    from relevant
    {{ 'cross join models' if 'model' in keys }}
    {{ 'left join item_counts on item_counts.item_id = relevant.item_id' if 'item_users' in used }}
    left join listed
        on listed.user_id = relevant.user_id
        and listed.item_id = relevant.item_id
        {{ 'and listed.model = models.model' if 'model' in keys }}
    where relevant.is_relevant > 0
),
targets as (
    select
        {{ sqlrec.taken(sqlrec.targets_keys(plan, used), 'evaluated') }},
        case
            when {{ sqlrec.within(plan, 'wanted_items.rank', 'evaluated') }} then {{ sqlrec.double(1) }}
            else {{ sqlrec.double(0) }}
        end as found
        {{- sqlrec.chosen({'item_users': 'wanted_items.item_users'}, used) }}
    from evaluated
    left join wanted_items
        on {{ sqlrec.same(keys, 'wanted_items', 'evaluated') }}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
),
{% endmacro %}

{% macro targets_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['relevant_items'] | select('in', used) | list) }}{% endmacro %}

{% macro targets_population(plan) %}{{ plan.population }}{% endmacro %}
