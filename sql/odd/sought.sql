-- Sought: where an item that a list repeats is to be found as often as it is there, one row per model,
-- user, cutoff if it matters, row of the truth that is relevant or has a relevance above 0, and place of its item; and
-- one where it has no place.
--
--   k, item_id, relevance, relevant   as in rows/evaluated.sql and rows/relevant.sql
--
-- Sought counts: how many that are, relevant_items and ideal_items, by the same keys.
--
-- plan.duplicates says which places: `outer`, all of the list; `outer_in_k`, those within the cutoff; and
-- `crossed`, those too, but each as often as the list has the item times as often as the truth has it,
-- since some library joins both once more than it has to.

-- The places where items of the truth are looked for, as far as they are none of a list's.
{% macro places_of_sought(plan) %}
{% set keys = plan.list_keys %}
{% if plan.duplicates == 'crossed' %}
-- Each place of an item of the truth as often as the list has the item.
crossed as (
    select {{ sqlrec.taken(keys + ['item_id', 'rank'], 'listed') }}
    from listed
    join listed as twin on {{ sqlrec.same(keys + ['item_id'], 'twin', 'listed') }}
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
{% elif sqlrec.finds_places_first(plan) %}
-- The places that hold an item of the truth.
found_places as (
    select *
    from listed
    where exists (
        select 1
        from relevant
        where relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    )
),
{% endif %}
{% endmacro %}

{% macro sought(plan, used) %}
{% set keys, sought_keys = plan.list_keys, sqlrec.sought_keys(plan) %}
{% set ideal = sqlrec.identifiers(sqlrec.ideal_joins(plan, used, 'evaluated')) %}
-- Each user's relevant items, as often as the list has them, or once.
sought as (
    select {{ sqlrec.named('models.model', 'model') ~ ', ' if 'model' in keys }}{{ sqlrec.named('relevant.user_id', 'user_id') }}
        {%- if 'k' in sought_keys %}, {{ sqlrec.named('cutoffs.k', 'k') }}{% endif %}
        {{- sqlrec.chosen(sqlrec.each(['item_id', 'relevance', 'is_relevant'], 'relevant.{}'), ['is_relevant'] + (['item_id', 'relevance'] if 'ideal_sums' in ideal else [])) }}
    from relevant
    {{ 'cross join models' if 'model' in keys }}
    {{ 'cross join cutoffs' if 'k' in sought_keys }}
    left join {{ 'crossed as ' if plan.duplicates == 'crossed' else 'found_places as ' if sqlrec.finds_places_first(plan) }}listed
        on listed.user_id = relevant.user_id
        {{ 'and listed.model = models.model' if 'model' in keys }}
        and listed.item_id = relevant.item_id
        {%- if plan.duplicates != 'outer' %}
        {{ sqlrec.and_within(plan, 'listed.rank', 'cutoffs') }}
        {%- endif %}
    where relevant.relevance > 0 or relevant.is_relevant > 0
),
{% set list = sqlrec.names(sought_keys) %}
-- How many there are.
sought_counts as (
    select {{ list }}
        {{- sqlrec.chosen({'relevant_items': 'cast(sum(is_relevant) as bigint)', 'ideal_items': 'count(*)'}, used + ideal) }}
    from sought
    group by {{ list }}
),
{% endmacro %}

-- Whether users or their ideals have columns that count them.
{% macro counts_sought(plan, used) %}
{{ return(sqlrec.seeks_again(plan) and ('relevant_items' in used or 'sought_counts' in sqlrec.identifiers(sqlrec.ideal_joins(plan, used, 'evaluated')))) }}
{% endmacro %}

-- Whether an item that a list repeats is to be found as often.
{% macro seeks_again(plan) %}{{ return(plan.duplicates in ['outer', 'outer_in_k', 'crossed']) }}{% endmacro %}

-- Whose items are sought: where all places of a list count, the same at each cutoff.
{% macro sought_keys(plan) %}{{ return(plan.list_keys if plan.duplicates == 'outer' else sqlrec.with_cutoff(plan, plan.list_keys)) }}{% endmacro %}

-- Whether places with an item of the truth come first, since hits and what is sought are both looked for there. DuckDB
-- keeps what is read twice.
{% macro finds_places_first(plan) %}
{{ return(plan.audit and adapter.type() == 'duckdb' and plan.duplicates in ['outer', 'outer_in_k'] and plan.unlisted == 'absent' and plan.truth_duplicates != 'lines') }}
{% endmacro %}

-- How many items of a kind a user has, at a cutoff: `relevant_items` or `ideal_items`.
{% macro items_of_user(plan, column) -%}
{%- if sqlrec.seeks_again(plan) -%}
coalesce(sought_counts.{{ column }}, 0)
{%- else -%}
{{ 'truth_users.' ~ column if sqlrec.whose(plan) == 'truth_users' else 'coalesce(truth_users.' ~ column ~ ', 0)' }}
{%- endif -%}
{%- endmacro %}
