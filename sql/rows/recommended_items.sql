-- Recommended lists: one row per list and cutoff that it reaches, whether or not the user is in the truth.
--
--   model          the model whose list it is, if there are several
--   user_id        the user
--   <segment>      a column of `by`, with one value for each user
--   k              the cutoff
--   list_length    the places of the list, at most k; never 0
--   tied           1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Recommended items: one row per place of such a list within k. The columns above; constant for a user:
--
--   relevant_items   number of items that are relevant to the user
--   baseline_length  the places of the baseline's list, at most k
--   history_users    number of users in the history
--   history_items    number of items in the history
--   history_pairs    number of different pairs of a user and an item in the history
--   history_events   number of events in the history
--   catalog_items    number of items in the catalog
--   history_members  number of users of the history in the user's segment; null for a user without
--                    history
--   baseline_members  the same for users with a list of the baseline
--
-- By row:
--
--   item_id        the item
--   rank           the item's place, from 1
--   score          its score
--   discount       the weight of the place: 1 / log2(rank + 1)
--   seen           1 where the history has the item for the user, else 0
--   item_users     number of users of the history with the item; 0 for an item without history
--   item_events    number of events of the item in the history
--   most_users, most_events  the largest such number of any item of the history; constant
--   items_above    number of items with more users; all items of the history for an item without
--                  history
--   items_beside   number of other items with the same number of users; 0 for an item without
--                  history
--   pairs_above    number of pairs of a user and an item of items_above
--   items_before   number of items with more users, or the same number and a lower id; all items of
--                  the history for an item without history
--   pairs_before   number of pairs of a user and an item of items_before
--   rarity_place   the item's place in the history from the fewest users up, ties by item; null
--                  without history
--   levels_above   number of different numbers of users above the item's own; null without history
--   hit            1 where the item is relevant, else 0
--   relevance      the item's grade, at least 0; 1 if the truth has no grades, 0 without a judgment
--   expected       1 where the baseline's list has the item for the user within k, else 0
--   in_baseline_<n>  the same within n places
--   likeness       the mean cosine of the item's features and the features of the user's history;
--                  null without history
--   price          the item's price
--   baseline_score  the baseline's score of the item for the user, at any place; null if missing

{% macro recommended_lists(plan, used) %}
{% if sqlrec.has_one_group(plan) %}
{% set lengths = sqlrec.chosen({'list_length': sqlrec.row_count()}, used) %}
-- The users with a list{{ ', and its length' if lengths }}.
recommended_lists as (
    select {{ 'distinct ' if not lengths }}{{ sqlrec.names(plan.list_keys) }}
        {{- lengths }}
    from listed
    {{ sqlrec.where_within(plan, 'rank', '') }}
    {{ 'group by ' ~ sqlrec.names(plan.list_keys) if lengths }}
),
{% else %}
-- The lists that reach the cutoff{{ 's' if not plan.k }}.
recommended_lists as (
    select
        {{ sqlrec.columns_of(plan.list_keys, 'list_lengths') }}
        {%- for segment in plan.by if segment.table != 'draws' %},
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }}
        {%- endfor %}
        {{- ', cutoffs.k as k' if not plan.k }}
        {%- call sqlrec.kept_columns(used) %}
        {{ sqlrec.at_cutoff(plan, 'places', 'list_lengths') }} as list_length,
        {{ sqlrec.at_cutoff(plan, 'tied', 'list_lengths') ~ ' as tied,' if plan.order == 'score' }}
        {%- endcall %}
    from list_lengths
    {{ 'cross join cutoffs' if not plan.k }}
    {{- sqlrec.account_joins(plan, 'list_lengths') }}
    where {{ sqlrec.at_cutoff(plan, 'places', 'list_lengths') }} > 0
),
{% endif %}
{% endmacro %}

-- True if lists are identified by their places: at one cutoff, without segments and counts of
-- users.
{% macro has_one_group(plan) %}{{ return(not plan.audit and plan.k is not none and not plan.by) }}{% endmacro %}

-- True if places need no join with their lists: no column of lists is read either.
{% macro reads_only_places(plan, used) %}{{ return(sqlrec.has_one_group(plan) and not sqlrec.some_of(['list_length', 'tied'], used)) }}{% endmacro %}

{% macro repeated_pairs(plan, used) %}
-- Each place, with the number of places above with the same item.
places_again as (
    select {{ sqlrec.names(plan.list_keys + ['item_id', 'rank']) }},
        {{ sqlrec.double('row_number() over (partition by ' ~ sqlrec.names(plan.list_keys) ~ ', item_id order by rank asc) - 1') }} as places_above
    from listed
),
{% set list = sqlrec.with_cutoff(plan, plan.list_keys) %}
-- The number of pairs of places within {{ plan.k or 'the cutoff' if plan.k != plan.whole_list else 'a list' }} with the same item.
repeated_pairs as (
    select {{ sqlrec.columns_of(list, 'recommended_lists') }},
        sum(places_again.places_above) as repeated_pairs
    from recommended_lists
    join places_again
        on {{ sqlrec.same(plan.list_keys, 'places_again', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'places_again.rank', 'recommended_lists') }}
    group by {{ sqlrec.names(list, 'recommended_lists') }}
),
{% endmacro %}

{% macro recommended_items(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set alone = sqlrec.has_one_group(plan) %}
{% set whose = 'listed' if alone else 'recommended_lists' %}
{% set placed = sqlrec.columns(sqlrec.placed_columns(plan, used)) %}
{% set baseline_rank = placed.baseline_rank if alone else 'placed.baseline_rank' %}
{% set columns %}
    {{ sqlrec.double('coalesce(truth_users.relevant_items, 0)') }} as relevant_items,
    {{ sqlrec.double('catalog_counts.catalog_items') }} as catalog_items,
    coalesce({{ sqlrec.at_cutoff(plan, 'places', 'baseline_list_lengths', 'recommended_lists.k') }}, 0) as baseline_length,
    {{ sqlrec.double('history_members.members') }} as history_members,
    {{ sqlrec.double('baseline_members.members') }} as baseline_members,
    {% for name, expression in placed.items() if name != 'baseline_rank' %}
    {{ expression if alone else 'placed.' ~ name }} as {{ name }},
    {% endfor %}
    {{ sqlrec.indicator(sqlrec.is_within(plan, baseline_rank, 'recommended_lists')) }} as expected,
    {% for n in sqlrec.rests(used, 'in_baseline_') %}
    {{ sqlrec.indicator(baseline_rank ~ ' <= ' ~ n) }} as in_baseline_{{ n }},
    {% endfor %}
    {% if alone %}
    count(*) over (partition by {{ sqlrec.names(keys, 'listed') }}) as list_length,
    {% endif %}
{% endset %}
{% set select = sqlrec.chosen(columns, used) %}
{% set named = sqlrec.identifiers(select) + ['rank'] %}
{{ sqlrec.known_of_items(plan, named, used) if alone else sqlrec.placed(plan, named, used) }}
{% call sqlrec.kept_queries(named) %}
{{ sqlrec.segment_members(plan, 'history_members', 'interactions') }}
{{ sqlrec.segment_members(plan, 'baseline_members', 'baseline_list_lengths') }}
{% endcall %}
-- {{ 'The places of each list within the cutoff' if not plan.k else 'The places of whole lists' if plan.k == plan.whole_list else 'The first ' ~ plan.k ~ ' places of each list' }}, with the data
-- of their items.
recommended_items as (
    select
        {{ sqlrec.columns_of(keys if alone else sqlrec.user_groups(plan, used), whose) }}
        {{- select }}
    from {{ whose }}
    {%- if alone %}
    {{ sqlrec.joins_of_items(plan, named) }}
    {%- else %}
    join placed on {{ sqlrec.same(keys, 'placed', 'recommended_lists') }} {{ sqlrec.and_within(plan, 'placed.rank', 'recommended_lists') }}
    {%- endif %}
    {%- call sqlrec.kept_joins(named) %}
    left join truth_users on truth_users.user_id = {{ whose }}.user_id
    left join baseline_list_lengths on baseline_list_lengths.user_id = {{ whose }}.user_id
    left join history_members on history_members.user_id = {{ whose }}.user_id
    left join baseline_members on baseline_members.user_id = {{ whose }}.user_id
    cross join catalog_counts
    {%- endcall %}
    {{ sqlrec.where_within(plan, 'listed.rank', '') if alone else sqlrec.where_requested(plan, kind, 'recommended_lists') }}
),
{% endmacro %}

-- The columns of a place: entries of a select over the tables that they name, joined with lists.
{% macro placed_columns(plan, used) %}
{# A repeated item is seen or expected only at its first place, or at each. #}
{% set first = 'listed.rank = min(listed.rank) over (partition by ' ~ sqlrec.names(plan.list_keys, 'listed') ~ ', listed.item_id)' if plan.duplicates == 'once' %}
{% set popular = sqlrec.some_of(['items_above', 'items_beside', 'pairs_above', 'items_before', 'pairs_before', 'levels_above', 'rarity_place'], used) %}
{% set item_counts = 'item_popularity' if popular else 'item_counts' %}
    listed.item_id,
    listed.rank,
    {{ sqlrec.double('listed.score') }} as score,
    1 / {{ sqlrec.log2('listed.rank + 1') }} as discount,
    {{ sqlrec.indicator('interactions.item_id is not null' ~ (' and ' ~ first if first else '')) }} as seen,
    {{ sqlrec.double('coalesce(item_popularity.items_beside, 0)') }} as items_beside,
    {{ sqlrec.double('item_popularity.levels_above') }} as levels_above,
    {{ sqlrec.double('item_popularity.rarity_place') }} as rarity_place,
    coalesce(relevant.is_relevant, 0) as hit,
    coalesce(relevant.relevance, 0) as relevance,
    {{ 'case when ' ~ first ~ ' then baseline_listed.rank end' if first else 'baseline_listed.rank' }} as baseline_rank,
    {{ sqlrec.double('baseline_scores.baseline_score') }} as baseline_score,
    {{ sqlrec.greatest(sqlrec.least('coalesce(history_likeness.likeness, 0)', sqlrec.double('had.items_had')), sqlrec.double('-had.items_had')) }} / had.items_had as likeness,
    item_prices.price,
    {{ sqlrec.double('coalesce(' ~ item_counts ~ '.item_users, 0)') }} as item_users,
    {{ sqlrec.double('coalesce(' ~ item_counts ~ '.item_events, 0)') }} as item_events,
    {{ sqlrec.double('most_popular.most_users') }} as most_users,
    {{ sqlrec.double('most_popular.most_events') }} as most_events,
    {{ sqlrec.double('history_counts.history_users') }} as history_users,
    {{ sqlrec.double('history_counts.history_items') }} as history_items,
    {{ sqlrec.double('history_counts.history_pairs') }} as history_pairs,
    {{ sqlrec.double('history_counts.history_events') }} as history_events,
    {# All items of the history are above an item without history. #}
    {{ sqlrec.double('coalesce(item_popularity.items_above, history_counts.history_items)') }} as items_above,
    {{ sqlrec.double('coalesce(item_popularity.pairs_above, history_counts.history_pairs)') }} as pairs_above,
    {{ sqlrec.double('coalesce(item_popularity.items_before, history_counts.history_items)') }} as items_before,
    {{ sqlrec.double('coalesce(item_popularity.pairs_before, history_counts.history_pairs)') }} as pairs_before,
{% endmacro %}

{% macro placed(plan, named, used) %}
{% set keys = plan.list_keys %}
{% set select = sqlrec.chosen(sqlrec.placed_columns(plan, used), named) %}
{% set tables = sqlrec.identifiers(select) %}
{{ sqlrec.known_of_items(plan, tables, used) }}
-- Each place with the data of its item.
placed as (
    select
        {{ sqlrec.columns_of(keys, 'listed') }}
        {{- select }}
    from listed
    {{ sqlrec.joins_of_items(plan, tables) }}
),
{% endmacro %}

-- The rows that places are joined with and no other query has.
{% macro known_of_items(plan, tables, used) %}
{% call sqlrec.kept_queries(sqlrec.identifiers(sqlrec.joins_of_items(plan, tables))) %}
{{ sqlrec.item_popularity(plan, used) }}
-- The baseline's scores, at any place.
baseline_scores as (
    select user_id, item_id, max(score) as baseline_score
    from baseline_recommended
    group by user_id, item_id
),
-- The sum of the vectors of each user's history.
history_vectors as (
    select
        {{ sqlrec.named('interactions.user_id', 'user_id') }},
        {{ sqlrec.named('item_vectors.feature', 'feature') }},
        sum(item_vectors.coordinate) as coordinate
    from interactions
    join item_vectors on item_vectors.item_id = interactions.item_id
    group by interactions.user_id, item_vectors.feature
),
-- The sum of the cosines of a shown item and the items of the user's history.
history_likeness as (
    select
        {{ sqlrec.named('shown_items.user_id', 'user_id') }},
        {{ sqlrec.named('shown_items.item_id', 'item_id') }},
        sum(item_vectors.coordinate * history_vectors.coordinate) as likeness
    from (select distinct user_id, item_id from listed) as shown_items
    join item_vectors on item_vectors.item_id = shown_items.item_id
    join history_vectors
        on history_vectors.user_id = shown_items.user_id
        and history_vectors.feature = item_vectors.feature
    group by shown_items.user_id, shown_items.item_id
),
-- An item of the baseline's list at its first place.
baseline_firsts as (
    select user_id, item_id, min(rank) as rank
    from baseline_listed
    group by user_id, item_id
),
{% endcall %}
{% endmacro %}

-- True if a list may have an item more than once.
{% macro repeats_items(plan) %}{{ return(plan.duplicates != 'error' and not sqlrec.counts_once(plan)) }}{% endmacro %}

-- True if an item counts at most once in a list and among the user's items, so that values are
-- within the bounds of the papers.
{% macro counts_items_once(plan) %}
{{ return(not sqlrec.repeats_items(plan) and plan.truth_duplicates in [none, 'error', 'best', 'first', 'last']) }}
{% endmacro %}

{% macro joins_of_items(plan, tables) %}
    {%- call sqlrec.kept_joins(tables) %}
    left join interactions on interactions.user_id = listed.user_id and interactions.item_id = listed.item_id
    left join item_counts on item_counts.item_id = listed.item_id
    left join item_popularity on item_popularity.item_id = listed.item_id
    left join item_prices on item_prices.item_id = listed.item_id
    cross join history_counts
    cross join (select {{ sqlrec.entries({'most_users': 'max(item_users)', 'most_events': 'max(item_events)'}, tables) }} from item_counts) as most_popular
    left join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join {{ 'baseline_firsts as ' if sqlrec.repeats_items(plan) }}baseline_listed
        on baseline_listed.user_id = listed.user_id
        and baseline_listed.item_id = listed.item_id
    left join (select user_id, count(*) as items_had from interactions group by user_id) as had
        on had.user_id = listed.user_id
    left join history_likeness
        on history_likeness.user_id = listed.user_id
        and history_likeness.item_id = listed.item_id
    left join baseline_scores
        on baseline_scores.user_id = listed.user_id
        and baseline_scores.item_id = listed.item_id
    {%- endcall %}
{%- endmacro %}

{% macro recommended_items_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['relevant_items', 'baseline_length', 'history_users', 'history_items', 'history_pairs', 'history_events', 'catalog_items', 'history_members', 'baseline_members'] | select('in', used) | list) }}{% endmacro %}

{% macro recommended_items_population(plan) %}recs{% endmacro %}

-- The items of the history with the numbers of items above them, which have more users. Items with
-- the same number of users are side by side.
{% macro item_popularity(plan, used) %}
{% set order = 'order by item_users desc, ' ~ sqlrec.items_in_order(plan) %}
-- The share of the history of each item and the more popular items.
items_in_order as (
    select *,
        sum(item_users) over (
            {{ order }} rows between unbounded preceding and current row
        ) as pairs
    from item_counts
),
-- The popularity of each item, by its users.
item_popularity as (
    select item_id
        {%- call sqlrec.kept_columns(used) %}
        item_users,
        item_events,
        rank() over (order by item_users desc) - 1 as items_above,
        count(*) over (partition by item_users) - 1 as items_beside,
        min(pairs) over (partition by item_users) - item_users as pairs_above,
        row_number() over ({{ order }}) - 1 as items_before,
        pairs - item_users as pairs_before,
        dense_rank() over (order by item_users desc) - 1 as levels_above,
        row_number() over (order by item_users asc, {{ sqlrec.items_in_order(plan) }}) as rarity_place,
        {%- endcall %}
    from {{ 'items_in_order' if sqlrec.some_of(['pairs_above', 'pairs_before'], used) else 'item_counts' }}
),
{% endmacro %}

-- The users of a table under a name, with the number of users in their segment.
{% macro segment_members(plan, name, table) %}
-- The users of {{ 'the history' if table == 'interactions' else 'the baseline' }}, with the number
-- of users in their segment.
{{ name }} as (
    select
        {{ sqlrec.named('known.user_id', 'user_id') }},
        count(*) over (
            {%- for segment in plan.by %}
            {{- 'partition by ' if loop.first }}{{ segment.table }}_segments.{{ segment.name }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as members
    from (select user_id from {{ table }} group by user_id) as known
    {{- sqlrec.account_joins(plan, 'known') }}
),
{% endmacro %}

-- The weight of a place: an expression over a row.
{% macro place_weight(discount, patience) -%}
{%- if discount == 'logarithmic' -%} discount
{%- elif discount == 'geometric' -%} {{ sqlrec.fading(patience, 'rank - 1') }}
{%- else -%} {{ sqlrec.double(1) }}
{%- endif -%}
{%- endmacro %}
