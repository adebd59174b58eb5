-- Item exposure: one row per model, segment, cutoff and item, with its exposure in all lists. Users count if their list
-- is not empty at the cutoff, including users who are not in the truth.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at ranks k and k + 1
--   catalog_items    number of items in the catalog
--   history_items    number of items in the history
--   total_lists      the sum of lists over all items: all recommendations
--   total_exposure   the sum of exposure over all items
--   total_relevant_pairs  the sum of relevant_pairs over all items
--
-- By row:
--
--   item_id          the item
--   lists            number of lists that show it within k; null for an item in no list
--   exposure         like lists, with each list weighted by 1 / log2(rank + 1)
--   faded_<patience>  like lists, with each list weighted by patience^(rank - 1)
--   mass             like lists, with each list weighted by 1 / sqrt(list_length); for lists that may
--                    repeat items, by 1 / the length of the vector of the items' counts
--   in_catalog       1 if the catalog has it, else 0
--   in_history       1 if the history has it, else 0
--   rank_lists       its rank among the items shown, from 1 for the item with the most lists
--   rank_exposure, rank_faded_<patience>
--                    its rank by exposure, and by faded_<patience>
--   catalog_rank_lists, catalog_rank_exposure, catalog_rank_faded_<patience>
--                    these ranks among the items of the catalog, or among the items outside of the catalog
--   relevant_pairs   number of users to whom it is relevant; null instead of 0
--   hits             number of the users with a relevant pair who have the item in their list within k
--   candidates       number of users without the item in their history; null for an item without history
--   in_head_<share>  1 if the items with more users have less than <share> of the history's
--                    pairs of user and item, else 0; null for an item without history
--
-- Items in no list have a row only if a metric reads another column of these items. One more row has no item and nulls
-- in the columns of items, so users with a list are always counted.

{% macro item_exposure(plan, kind, used) %}
{% set groups, faded = plan.group_columns, sqlrec.faded_columns(used) %}
{% set ranked = sqlrec.name_suffixes(used, 'rank_') + sqlrec.name_suffixes(used, 'catalog_rank_') %}
{% set heads = sqlrec.names_with_prefix(used, 'in_head_') if plan.history else [] %}
{% set sources = (['ranks'] if faded or ranked or sqlrec.uses_any(['lists', 'exposure', 'mass', 'total_lists', 'total_exposure'], used) else [])
    + (['relevant_pairs'] if kind.truth and sqlrec.uses_any(['relevant_pairs', 'hits', 'total_relevant_pairs'], used) else [])
    + (['stock'] if 'candidates' in used else []) + (['seen_by'] if plan.history and 'candidates' in used else []) %}
{{ sqlrec.item_sums(plan, kind, used, sources, 'item_counts') }}
{% if heads %}
-- The head: the most popular items, down to the item with which their total reaches the head's share of the history.
popular_items as (
    select item_id,
        {%- for name in heads %}
        case when pairs_before / pairs < {{ sqlrec.double(sqlrec.from_name(name[8:]) | float) }} then 1 else 0 end as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select item_id, cast(sum(item_users) over () as double) as pairs,
            sum(item_users) over (
                order by item_users desc, {{ sqlrec.items_in_order(plan) }}
                rows between unbounded preceding and current row
            ) - item_users as pairs_before
        from item_counts
    ) as items_in_order
),
{% endif %}
item_exposure_known as (
    select {{ sqlrec.names(groups + sqlrec.item_columns(plan, used), 'item_exposure_items') }},
        {% for name in heads %}popular_items.{{ name }}, {% endfor %}
        catalog_counts.catalog_items,
        cast(case when catalog_rows.item_id is not null then 1 else 0 end as double) as in_catalog,
        cast(history_counts.history_items as double) as history_items,
        cast(case when item_counts.item_users > 0 then 1 else 0 end as double) as in_history
    from item_exposure_items
    cross join catalog_counts
    left join catalog_rows on catalog_rows.item_id = item_exposure_items.item_id
    cross join history_counts
    left join item_counts on item_counts.item_id = item_exposure_items.item_id
    {% if heads %}
    left join popular_items on popular_items.item_id = item_exposure_items.item_id
    {% endif %}
),
-- Each item, with its columns.
item_exposure as (
    select {{ (groups + sqlrec.item_columns(plan, used) + heads) | join(', ') }},
        {% for name in ['lists', 'exposure'] + faded %}
        {{ sqlrec.rank_among_items(plan, groups, name) }} as rank_{{ name }},
        {{ sqlrec.rank_among_items(plan, groups + [sqlrec.part_of('in_catalog')], name) }} as catalog_rank_{{ name }},
        {% endfor %}
        catalog_items,
        in_catalog,
        history_items,
        in_history
    from item_exposure_known
),
{% endmacro %}

-- An item's rank in a partition of the rows, in descending order of a column.
{% macro rank_among_items(plan, part, column) -%}
cast(
            row_number() over (
                partition by {{ part | join(', ') }} order by coalesce({{ column }}, 0) desc, {{ sqlrec.items_in_order(plan) }}
            ) as double
        )
{%- endmacro %}

-- The exposure of items to users who continue with some probability: the columns that are read.
{% macro faded_columns(used) %}
{% set names = sqlrec.names_with_prefix(used, 'faded_') %}
{% for name in sqlrec.name_suffixes(used, 'rank_') + sqlrec.name_suffixes(used, 'catalog_rank_') if name[:6] == 'faded_' %}{% set _ = names.append(name) %}{% endfor %}
{{ return(names | unique | list) }}
{% endmacro %}

-- The columns of the sums of items, except the groups.
{% macro item_columns(plan, used) %}
{{ return(
    ['users_evaluated', 'short_lists', 'ties_at_cutoff'] + ['item_id', 'lists', 'exposure', 'mass'] + sqlrec.faded_columns(used)
    + ['relevant_pairs', 'hits', 'seen_by', 'candidates', 'total_lists', 'total_exposure', 'total_relevant_pairs', 'total_seen_by']
) }}
{% endmacro %}

-- One row per model, segment, cutoff and item, with the sums of each of some sources: the ranks of
-- lists, the users to whom an item is relevant, the items of the query `stock` that can be recommended, and the users
-- with the item in their history. A group with users and without items has a row without item.
{% macro item_sums(plan, kind, used, sources, stock) %}
{% set groups, name = plan.group_columns, kind.name %}
{% set keys, faded = groups | join(', '), sqlrec.faded_columns(used) %}
{% set sums = ['lists', 'exposure', 'mass'] + faded + ['relevant_pairs', 'hits', 'seen_by', 'stock'] %}
{% set together = plan.groups | length == 0 %}
{% set drawn = sources | reject('equalto', 'stock') | list if plan.drawn else [] %}
-- The users{{ ' with a list' if together else ' of each segment and cutoff' }}.
{{ name }}_accounts as (
    {% if plan.drawn %}
    {{ sqlrec.drawn_accounts(plan, kind) | trim }}
    {% else %}
    select {{ keys }}, count(*) as users_evaluated,
        sum(case when {{ sqlrec.is_short(plan) }} then 1 else 0 end) as short_lists,
        {{ 'sum(tied)' if sqlrec.counts_ties(plan) else 0 }} as ties_at_cutoff
    from recommended_lists
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    group by {{ keys }}
    {% endif %}
),
{{ sqlrec.drawn_items(plan, kind, drawn, sums | reject('in', ['stock']) | list, faded) if drawn }}
-- The sums of each item.
{{ name }}_sums as (
    {% for source in (['drawn'] if drawn else []) + sources | reject('in', drawn) | list %}
    {{ 'union all' if not loop.first }}
    {{ sqlrec['sums_of_' ~ source](plan, kind, used, faded, stock) | trim }}
    {% endfor %}
),
{% if sources | length > 1 %}
-- The sums of each item from all sources.
{{ name }}_counted as (
    select {{ keys }}, item_id{% for column in sums %}, sum({{ column }}) as {{ column }}{% endfor %}

    from {{ name }}_sums
    group by {{ keys }}, item_id
),
{% endif %}
{% set counted = name ~ ('_counted' if sources | length > 1 else '_sums') %}
-- Each item, with the users who could have it and the sums over all items.
{{ name }}_items as (
    select {{ sqlrec.names(groups + ['users_evaluated', 'short_lists', 'ties_at_cutoff'], name ~ '_accounts') }},
        {{ sqlrec.names(['item_id'] + sums, counted) }},
        case when {{ counted }}.stock > 0 then {{ name }}_accounts.users_evaluated - coalesce({{ counted }}.seen_by, 0) end as candidates
        {%- for total in ['lists', 'exposure', 'relevant_pairs', 'seen_by'] %},
        sum({{ counted }}.{{ total }}) over (partition by {{ sqlrec.names(groups, name ~ '_accounts') }}) as total_{{ total }}
        {%- endfor %}
    from {{ name }}_accounts
    {% if together %}
    cross join {{ counted }}
    {% else %}
    left join {{ counted }}
        on {{ counted }}.model = {{ name }}_accounts.model and {{ counted }}.k = {{ name }}_accounts.k
        {%- for segment in plan.by %}
        and {{ sqlrec.same_or_null(counted ~ '.' ~ segment.name, name ~ '_accounts.' ~ segment.name) }}
        {%- endfor %}
    {% endif %}
),
{% endmacro %}

-- The sums of items from one source: a select.
{% macro sums_of_ranks(plan, kind, used, faded, stock) %}
{# A list that repeats items is a vector of counts: the square of a count n is n + 2 * (pairs of repeats). #}
{% set repeats = 'mass' in used and 'keeps_repeats' in plan.properties.duplicates %}
{% set alone = not plan.by and 'mass' not in used %}
{% set lists = 'cutoffs' if alone else 'recommended_lists' %}
{% set keys = 'listed.model, ' ~ sqlrec.names(['k'] + plan.by | map(attribute='name') | list, lists) %}
    select {{ keys }}, listed.item_id,
        cast(count(*) as double) as lists,
        sum(1 / log2(listed.rank + 1)) as exposure,
        {{ 'sum(1 / sqrt(cast(recommended_lists.list_length as double)' ~ (' + 2 * repeated_pairs.repeated_pairs' if repeats) ~ '))' if 'mass' in used else 'cast(null as double)' }} as mass,
        {% for name in faded %}sum({{ sqlrec.power_of_fraction(sqlrec.from_name(name[6:]) | float, 'listed.rank - 1') }}) as {{ name }}, {% endfor %}
        cast(null as double) as relevant_pairs, cast(null as double) as hits, cast(null as double) as seen_by, cast(null as double) as stock
    from listed
    {% if alone %}
    cross join cutoffs
    {% else %}
    join recommended_lists on recommended_lists.model = listed.model and recommended_lists.user_id = listed.user_id
    {% endif %}
    {% if repeats %}
    join repeated_pairs
        on repeated_pairs.model = recommended_lists.model and repeated_pairs.user_id = recommended_lists.user_id
        and repeated_pairs.k = recommended_lists.k
    {% endif %}
    where listed.rank <= {{ lists }}.k {{ sqlrec.where_requested(plan, kind, lists, 'and') }}
    group by {{ keys }}, listed.item_id
{% endmacro %}
{% macro sums_of_relevant_pairs(plan, kind, used, faded, stock) %}
{% set keys = sqlrec.names(plan.group_columns, 'recommended_lists') %}
    select {{ keys }}, relevant.item_id,
        cast(null as double) as lists, cast(null as double) as exposure, cast(null as double) as mass,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        sum(relevant.is_relevant) as relevant_pairs,
        {{ 'sum(case when listed.rank <= recommended_lists.k then relevant.is_relevant else 0 end)' if 'hits' in used else 'cast(null as double)' }} as hits,
        cast(null as double) as seen_by, cast(null as double) as stock
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    {% if 'hits' in used %}
    left join listed
        on listed.model = recommended_lists.model and listed.user_id = recommended_lists.user_id
        and listed.item_id = relevant.item_id
    {% endif %}
    {{ sqlrec.where_clause(['relevant.is_relevant > 0' if (plan.audit or plan.has_grades), sqlrec.where_requested(plan, kind, 'recommended_lists', '')]) }}
    group by {{ keys }}, relevant.item_id
{% endmacro %}
{% macro sums_of_seen_by(plan, kind, used, faded, stock) %}
{% set keys = sqlrec.names(plan.group_columns, 'recommended_lists') %}
    select {{ keys }}, interactions.item_id,
        cast(null as double) as lists, cast(null as double) as exposure, cast(null as double) as mass,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        cast(null as double) as relevant_pairs, cast(null as double) as hits,
        cast(count(*) as double) as seen_by,
        cast(null as double) as stock
    from interactions
    join recommended_lists on recommended_lists.user_id = interactions.user_id
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    group by {{ keys }}, interactions.item_id
{% endmacro %}
{% macro sums_of_stock(plan, kind, used, faded, stock) %}
    select {{ sqlrec.names(plan.group_columns, kind.name ~ '_accounts') }}, {{ stock }}.item_id,
        cast(null as double) as lists, cast(null as double) as exposure, cast(null as double) as mass,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        cast(null as double) as relevant_pairs, cast(null as double) as hits, cast(null as double) as seen_by,
        cast(1 as double) as stock
    from {{ stock }}
    cross join {{ kind.name }}_accounts
{% endmacro %}
{% macro sums_of_drawn(plan, kind, used, faded, stock) %}
    select {{ plan.group_columns | join(', ') }}, item_id,
        lists, exposure, mass, {% for name in faded %}{{ name }}, {% endfor %}relevant_pairs, hits, seen_by, cast(null as double) as stock
    from {{ kind.name }}_drawn
{% endmacro %}
