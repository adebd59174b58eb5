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
{% set keys = plan.list_keys %}
{% if plan.duplicates == 'crossed' %}
crossed as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.item_id as item_id,
        listed.rank as rank
    from listed
    join listed as twin
        on {{ sqlrec.same(keys, "twin", "listed") }}
        and twin.item_id = listed.item_id
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
{% endif %}
sought as (
    select
        {{ 'models.model as model,' if 'model' in keys }}
        relevant.user_id as user_id,
        {{ 'cutoffs.k as k,' if not plan.k }}
        relevant.item_id as item_id,
        relevant.relevance as relevance,
        relevant.is_relevant as is_relevant
    from relevant
    {{ 'cross join models' if 'model' in keys }}
    {{ 'cross join cutoffs' if not plan.k }}
    left join {{ 'crossed as ' if plan.duplicates == 'crossed' }}listed
        on listed.user_id = relevant.user_id
        {{ 'and listed.model = models.model' if 'model' in keys }}
        and listed.item_id = relevant.item_id
        {%- if plan.duplicates != 'outer' %}
        and {{ sqlrec.within(plan, 'listed.rank', 'cutoffs') }}
        {%- endif %}
    where relevant.relevance > 0 or relevant.is_relevant > 0
),
{% set list = sqlrec.names(sqlrec.with_cutoff(plan, keys)) %}
sought_counts as (
    select {{ list }}, cast(sum(is_relevant) as bigint) as relevant_items, count(*) as ideal_items
    from sought
    group by {{ list }}
),
{% endmacro %}

-- Whether an item that a list repeats is to be found as often.
{% macro seeks_again(plan) %}{{ return(plan.duplicates in ['outer', 'outer_in_k', 'crossed']) }}{% endmacro %}

-- How many items of a kind a user has, at a cutoff: `relevant_items` or `ideal_items`.
{% macro items_of_user(plan, column) -%}
{%- if sqlrec.seeks_again(plan) -%}
coalesce(sought_counts.{{ column }}, 0)
{%- else -%}
{{ 'truth_users.' ~ column if sqlrec.whose(plan) == 'truth_users' else 'coalesce(truth_users.' ~ column ~ ', 0)' }}
{%- endif -%}
{%- endmacro %}
