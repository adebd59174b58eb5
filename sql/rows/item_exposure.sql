-- Item exposure: one row per model, segment, cutoff and item, with the item's exposure in all
-- lists. All users with a list that is not empty at the cutoff count, even if they are not in the
-- truth.
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
--   mass             like lists, with each list weighted by 1 / sqrt(list_length); if lists may
--                    repeat items, by 1 / the length of the vector of the items' counts
--   in_catalog       1 if the catalog contains the item, else 0
--   in_history       1 if the history contains the item, else 0
--   rank_lists       the item's rank among the items shown, from 1 for the item with the most lists
--   rank_exposure, rank_faded_<patience>
--                    its rank by exposure, and by faded_<patience>
--   catalog_rank_lists, catalog_rank_exposure, catalog_rank_faded_<patience>
--                    these ranks among the items of the catalog, or among the items outside of the catalog
--   relevant_pairs   number of users to whom the item is relevant; null instead of 0
--   hits             number of users to whom the item is relevant and who have it in their list
--                    within k
--   candidates       number of users without the item in their history; null for an item without history
--   in_head_<share>  1 if all items with more users together have less than <share> of the
--                    history's pairs of a user and an item, else 0; null for an item without
--                    history
--
-- Items that no list contains have rows only if a metric reads other columns of these items. One
-- additional row has no item, and nulls in the columns of items, so users with a list are always
-- counted.
--
-- Each query, with the queries that it reads. Group exposure has the first five queries too, with
-- its own name before each (rows/group_exposure.sql):
--
--   item_exposure_accounts   recommended_lists
--   item_exposure_ranks      listed, recommended_lists
--   item_exposure_added      one part for each source: item_exposure_ranks, relevant, interactions,
--                            and the items that can be recommended
--   item_exposure_sums       item_exposure_added
--   item_exposure_items      item_exposure_accounts, item_exposure_sums
--   popular_items            item_counts; only for heads
--   item_exposure_known      item_exposure_items, popular_items, the catalog, the history
--   item_exposure            item_exposure_known

{% macro item_exposure(plan, kind, used) %}
{% set faded = sqlrec.faded_columns(used) %}
{% set ranked = sqlrec.name_suffixes(used, 'rank_') + sqlrec.name_suffixes(used, 'catalog_rank_') %}
{% set heads = sqlrec.names_with_prefix(used, 'in_head_') if plan.history else [] %}
{% set sources = (['ranks'] if faded or ranked or sqlrec.uses_any(['lists', 'exposure', 'mass', 'total_lists', 'total_exposure'], used) else [])
    + (['relevant_pairs'] if kind.truth and sqlrec.uses_any(['relevant_pairs', 'hits', 'total_relevant_pairs'], used) else [])
    + (['stock'] if 'candidates' in used else []) + (['seen_by'] if plan.history and 'candidates' in used else []) %}
{{ sqlrec.item_sums(plan, kind, used, sources, 'item_counts') }}
{% if heads %}
-- The head: the most popular items, until their total reaches the head's share of the history.
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
    select item_exposure_items.*,
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
-- Each item, with its ranks.
item_exposure as (
    select item_exposure_known.*
        {%- for name in ['lists', 'exposure'] + faded %},
        {{ sqlrec.rank_among_items(plan, plan.key_columns, name) }} as rank_{{ name }},
        {{ sqlrec.rank_among_items(plan, plan.key_columns + [sqlrec.part_of('in_catalog')], name) }} as catalog_rank_{{ name }}
        {%- endfor %}
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

-- The columns that are read, of exposure to users who continue with some probability.
{% macro faded_columns(used) %}{{ return(modules.re.findall('faded_\\w+', used | join(' ')) | unique | list) }}{% endmacro %}

-- One row per model, segment, cutoff and item, with sums over several sources: the ranks of lists,
-- the users to whom an item is relevant, the users with the item in their history, and the items of
-- the query `stock`, which can be recommended. A group that has users but no items has a row
-- without an item.
{% macro item_sums(plan, kind, used, sources, stock) %}
{% set name, faded = kind.name, sqlrec.faded_columns(used) %}
{% set sums = ['lists', 'exposure', 'mass'] + faded + ['relevant_pairs', 'hits', 'seen_by'] %}
{% set drawn = sources | reject('equalto', 'stock') | list if plan.drawn else [] %}
-- The users{{ ' of each segment and cutoff' if plan.groups else ' with a list' }}.
{{ name }}_accounts as (
    {% if plan.drawn %}
    {{ sqlrec.drawn_accounts(plan, kind) | trim }}
    {% else %}
    select {{ plan.row_keys }}, count(*) as users_evaluated, sum(is_short) as short_lists, sum(tied) as ties_at_cutoff
    from recommended_lists
    group by {{ plan.row_keys }}
    {% endif %}
),
{{ name }}_listed as (
    select model, user_id, item_id, rank
    from listed
),
{{ sqlrec.ranks_within_cutoff(plan, kind, name ~ '_ranks', name ~ '_listed', reads_lists=plan.by or 'mass' in used) }}
{{ sqlrec.drawn_items(plan, kind, used, drawn, sums, faded) if drawn }}
-- Each row of the sources, with the terms that it adds to the sums of its item.
{{ name }}_added as (
    {{ sqlrec.added_to_items(plan, kind, used, (['drawn'] if drawn else []) + sources | reject('in', drawn) | list, faded, stock) | trim }}
),
-- The sums of each item.
{{ name }}_sums as (
    select {{ plan.row_keys }}, item_id, {% for column in sums %}sum({{ column }}) as {{ column }}, {% endfor %}sum(stock) as stock
    from {{ name }}_added
    group by {{ plan.row_keys }}, item_id
),
-- Each item, with the number of users who could get it and the sums over all items.
{{ name }}_items as (
    select {{ name }}_accounts.*, {{ sqlrec.names(['item_id'] + sums, name ~ '_sums') }},
        case when {{ name }}_sums.stock > 0 then {{ name }}_accounts.users_evaluated - coalesce({{ name }}_sums.seen_by, 0) end as candidates
        {%- for total in ['lists', 'exposure', 'relevant_pairs', 'seen_by'] %},
        sum({{ name }}_sums.{{ total }}) over (partition by {{ sqlrec.names(plan.key_columns, name ~ '_accounts') }}) as total_{{ total }}
        {%- endfor %}
    from {{ name }}_accounts
    {% if not plan.groups %}
    cross join {{ name }}_sums
    {% else %}
    left join {{ name }}_sums
        on {{ name }}_sums.model = {{ name }}_accounts.model and {{ name }}_sums.k = {{ name }}_accounts.k
        {%- for segment in plan.by %}
        and {{ sqlrec.same_or_null(name ~ '_sums.' ~ segment.name, name ~ '_accounts.' ~ segment.name) }}
        {%- endfor %}
    {% endif %}
),
{% endmacro %}

-- A query: the rows of some sources, with the terms that they add to the sums of their item. A list
-- that repeats items is a vector of counts. The square of a count n is n + 2 * (pairs of repeats).
{% macro added_to_items(plan, kind, used, sources, faded, stock) %}
{% set keys, ranks = sqlrec.names(plan.key_columns, 'recommended_lists'), kind.name ~ '_ranks' %}
    {% for source in sources %}
    {{ 'union all' if not loop.first }}
    {% if source == 'ranks' %}
    select {{ sqlrec.names(plan.key_columns + ['user_id', 'item_id'], ranks) }},
        {% for name in faded %}{{ sqlrec.power_of_fraction(sqlrec.from_name(name[6:]) | float, ranks ~ '.rank - 1') }} as {{ name }}, {% endfor %}
        cast(1 as double) as lists,
        1 / log2({{ ranks }}.rank + 1) as exposure,
        1 / sqrt(cast({{ ranks }}.list_length as double){{ ' + 2 * repeated_pairs.repeated_pairs' if 'keeps_repeats' in plan.properties.duplicates }}) as mass,
        cast(null as double) as relevant_pairs,
        cast(null as double) as hits,
        cast(null as double) as seen_by,
        cast(null as double) as stock
    from {{ ranks }}
    left join repeated_pairs on {{ sqlrec.equal_columns(['model', 'user_id', 'k'], 'repeated_pairs', ranks) }}
    {% elif source == 'relevant_pairs' %}
    select {{ keys }}, recommended_lists.user_id, relevant.item_id,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        cast(null as double) as lists,
        cast(null as double) as exposure,
        cast(null as double) as mass,
        relevant.is_relevant as relevant_pairs,
        {{ 'case when listed.rank <= recommended_lists.k then relevant.is_relevant else 0 end' if 'hits' in used else 'cast(null as double)' }} as hits,
        cast(null as double) as seen_by,
        cast(null as double) as stock
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    {% if 'hits' in used %}
    left join listed
        on listed.model = recommended_lists.model and listed.user_id = recommended_lists.user_id
        and listed.item_id = relevant.item_id
    {% endif %}
    where relevant.is_relevant > 0
    {% elif source == 'seen_by' %}
    select {{ keys }}, recommended_lists.user_id, interactions.item_id,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        cast(null as double) as lists,
        cast(null as double) as exposure,
        cast(null as double) as mass,
        cast(null as double) as relevant_pairs,
        cast(null as double) as hits,
        cast(1 as double) as seen_by,
        cast(null as double) as stock
    from interactions
    join recommended_lists on recommended_lists.user_id = interactions.user_id
    {% elif source == 'stock' %}
    select {{ sqlrec.names(plan.key_columns, kind.name ~ '_accounts') }}, null as user_id, {{ stock }}.item_id,
        {% for name in faded %}cast(null as double) as {{ name }}, {% endfor %}
        cast(null as double) as lists,
        cast(null as double) as exposure,
        cast(null as double) as mass,
        cast(null as double) as relevant_pairs,
        cast(null as double) as hits,
        cast(null as double) as seen_by,
        cast(1 as double) as stock
    from {{ stock }}
    cross join {{ kind.name }}_accounts
    {% else %}
    select {{ plan.row_keys }}, null as user_id, item_id,
        {% for name in faded %}{{ name }}, {% endfor %}
        lists, exposure, mass, relevant_pairs, hits, seen_by, cast(null as double) as stock
    from {{ kind.name }}_drawn
    {% endif %}
    {% endfor %}
{% endmacro %}
