-- Recommended items: one row per rank of a recommended list within k, with the columns of rows/recommended_lists.sql.
-- Constant for a user:
--
--   relevant_items   number of items that are relevant to the user
--   baseline_length  the length of the baseline's list, at most k
--   history_users    number of users in the history
--   history_items    number of items in the history
--   history_pairs    number of distinct pairs of a user and an item in the history
--   history_events   number of events in the history
--   catalog_items    number of items in the catalog
--   history_members  number of users of the history in the user's segment; null for a user without
--                    history
--   baseline_members  like history_members, with users who have a list of the baseline
--
-- By row:
--
--   item_id        the item
--   rank           the item's rank, from 1
--   score          its score
--   discount       the weight of the rank: 1 / log2(rank + 1)
--   seen           1 if the history has the item for the user, else 0
--   item_users     number of users of the history with the item; 0 for an item without history
--   item_events    number of events of the item in the history
--   most_users, most_events  the largest item_users and item_events of all items of the history;
--                            constant
--   items_above    number of items with more users; for an item without history, all items of the
--                  history
--   items_beside   number of other items with the same number of users; 0 for an item without
--                  history
--   pairs_above    number of pairs of a user and an item of items_above
--   items_before   number of items with more users, or with the same number of users and a lower
--                  id; for an item without history, all items of the history
--   pairs_before   number of pairs of a user and an item of items_before
--   rarity_rank    the item's rank in the history from the fewest users up, with ties ordered by
--                  item; null for an item without history
--   levels_above   number of distinct values of item_users above the item's value; null for an item
--                  without history
--   hit            1 if the item is relevant, else 0
--   relevance      the item's grade, at least 0; 1 if the truth has no grades, 0 without a judgment
--   expected       1 if the baseline's list for the user contains the item within k, else 0
--   in_baseline_<n>  1 if the first n ranks of the baseline's list contain the item, else 0
--   likeness       the mean cosine similarity of the item and the items of the user's history, by
--                  their features; null for a user without history
--   price          the item's price
--   baseline_score  the baseline's score of the item for the user, at any rank; null if missing

{% macro recommended_items(plan, kind, used) %}
{# A repeated item is seen or expected only at its first rank, or at each. #}
{% set first = 'listed.rank = min(listed.rank) over (partition by listed.model, listed.user_id, listed.item_id)' if 'hits_once' in plan.properties.duplicates else none %}
{% set reads_truth = sqlrec.uses_any(['hit', 'relevance'], used) %}
{% set reads_baseline = 'expected' in used or sqlrec.names_with_prefix(used, 'in_baseline_') %}
{{ sqlrec.item_popularity(plan) }}
{{ sqlrec.baseline_items(plan) if plan.baseline }}
-- The sum of the vectors of each user's history.
history_vectors as (
    select interactions.user_id, item_vectors.feature, sum(item_vectors.coordinate) as coordinate
    from interactions
    join item_vectors on item_vectors.item_id = interactions.item_id
    group by interactions.user_id, item_vectors.feature
),
-- The sum of the cosines of a shown item and the items of the user's history.
history_likeness as (
    select shown_items.user_id, shown_items.item_id,
        sum(item_vectors.coordinate * history_vectors.coordinate) as likeness
    from (select distinct user_id, item_id from listed) as shown_items
    join item_vectors on item_vectors.item_id = shown_items.item_id
    join history_vectors
        on history_vectors.user_id = shown_items.user_id and history_vectors.feature = item_vectors.feature
    group by shown_items.user_id, shown_items.item_id
),
-- The ranks of lists, with columns of their users and items. All items of the history are above an
-- item without history.
listed_items as (
    select listed.model, listed.user_id, listed.item_id, listed.rank,
        cast(case when interactions.item_id is not null{{ ' and ' ~ first if first }} then 1 else 0 end as double) as seen,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(coalesce(item_counts.item_events, 0) as double) as item_events,
        cast(most_popular.most_users as double) as most_users,
        cast(most_popular.most_events as double) as most_events,
        cast(history_counts.history_users as double) as history_users,
        cast(history_counts.history_items as double) as history_items,
        cast(history_counts.history_pairs as double) as history_pairs,
        cast(history_counts.history_events as double) as history_events,
        cast(history_members.members as double) as history_members,
        cast(catalog_counts.catalog_items as double) as catalog_items,
        cast(coalesce(item_popularity.items_above, history_counts.history_items) as double) as items_above,
        cast(coalesce(item_popularity.pairs_above, history_counts.history_pairs) as double) as pairs_above,
        cast(coalesce(item_popularity.items_before, history_counts.history_items) as double) as items_before,
        cast(coalesce(item_popularity.pairs_before, history_counts.history_pairs) as double) as pairs_before,
        cast(coalesce(item_popularity.items_beside, 0) as double) as items_beside,
        cast(item_popularity.levels_above as double) as levels_above,
        cast(item_popularity.rarity_rank as double) as rarity_rank,
        greatest(
            least(coalesce(history_likeness.likeness, 0), cast(history_lengths.items_had as double)),
            cast(-history_lengths.items_had as double)
        ) / history_lengths.items_had as likeness,
        item_prices.price,
        {% if reads_truth %}
        coalesce(relevant.is_relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance,
        {% endif %}
        {% if plan.truth %}
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        {% endif %}
        {% if reads_baseline %}
        {{ 'case when ' ~ first ~ ' then baseline_firsts.rank end' if first else 'baseline_firsts.rank' }} as baseline_rank,
        {% endif %}
        {% if plan.baseline %}
        cast(baseline_scores.baseline_score as double) as baseline_score,
        cast(baseline_members.members as double) as baseline_members,
        {% endif %}
        cast(listed.score as double) as score,
        1 / log2(listed.rank + 1) as discount
    from listed
    left join interactions on interactions.user_id = listed.user_id and interactions.item_id = listed.item_id
    left join item_counts on item_counts.item_id = listed.item_id
    left join item_popularity on item_popularity.item_id = listed.item_id
    left join history_lengths on history_lengths.user_id = listed.user_id
    left join history_members on history_members.user_id = listed.user_id
    cross join history_counts
    cross join most_popular
    cross join catalog_counts
    left join history_likeness on history_likeness.user_id = listed.user_id and history_likeness.item_id = listed.item_id
    left join item_prices on item_prices.item_id = listed.item_id
    {% if reads_truth %}
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {% endif %}
    {% if plan.truth %}
    left join truth_users on truth_users.user_id = listed.user_id
    {% endif %}
    {% if reads_baseline %}
    left join {{ 'baseline_firsts' if 'keeps_repeats' in plan.properties.duplicates else 'baseline_listed as baseline_firsts' }}
        on baseline_firsts.user_id = listed.user_id and baseline_firsts.item_id = listed.item_id
    {% endif %}
    {% if plan.baseline %}
    left join baseline_scores on baseline_scores.user_id = listed.user_id and baseline_scores.item_id = listed.item_id
    left join baseline_members on baseline_members.user_id = listed.user_id
    {% endif %}
),
{% if not plan.baseline %}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'recommended_items', 'listed_items') }}
{% else %}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'ranks_of_items', 'listed_items') }}
-- Each rank, with columns of the baseline's list at the cutoff.
recommended_items as (
    select ranks_of_items.*,
        {% if reads_baseline %}
        {% for n in sqlrec.name_suffixes(used, 'in_baseline_') %}
        cast(case when ranks_of_items.baseline_rank <= {{ n }} then 1 else 0 end as double) as in_baseline_{{ n }},
        {% endfor %}
        cast(case when ranks_of_items.baseline_rank <= ranks_of_items.k then 1 else 0 end as double) as expected,
        {% endif %}
        coalesce({{ sqlrec.at_cutoff(plan, 'ranks', 'baseline_list_lengths', 'ranks_of_items.k') }}, 0) as baseline_length
    from ranks_of_items
    left join baseline_list_lengths on baseline_list_lengths.user_id = ranks_of_items.user_id
),
{% endif %}
{% endmacro %}

-- Items and scores of the baseline.
{% macro baseline_items(plan) %}
-- The baseline's scores, at any rank.
baseline_scores as (
    select user_id, item_id, max(score) as baseline_score
    from baseline_recommended
    group by user_id, item_id
),
-- An item of the baseline's list at its first rank.
baseline_firsts as (
    select user_id, item_id, min(rank) as rank
    from baseline_listed
    group by user_id, item_id
),
{{ sqlrec.segment_members(plan, 'baseline_members', 'baseline_list_lengths') }}
{% endmacro %}

-- The items of the history, with the numbers of items that have more users, or the same number of
-- users.
{% macro item_popularity(plan) %}
{% set order = 'order by item_users desc, ' ~ sqlrec.items_in_order(plan) %}
-- The largest counts of any item.
most_popular as (
    select max(item_users) as most_users, max(item_events) as most_events
    from item_counts
),
-- The number of items in each user's history.
history_lengths as (
    select user_id, count(*) as items_had
    from interactions
    group by user_id
),
-- The share of the history of each item and the more popular items.
items_in_order as (
    select *,
        sum(item_users) over ({{ order }} rows between unbounded preceding and current row) as pairs
    from item_counts
),
-- The popularity of each item, by its users.
item_popularity as (
    select item_id,
        rank() over (order by item_users desc) - 1 as items_above,
        count(*) over (partition by item_users) - 1 as items_beside,
        min(pairs) over (partition by item_users) - item_users as pairs_above,
        row_number() over ({{ order }}) - 1 as items_before,
        pairs - item_users as pairs_before,
        dense_rank() over (order by item_users desc) - 1 as levels_above,
        row_number() over (order by item_users asc, {{ sqlrec.items_in_order(plan) }}) as rarity_rank
    from items_in_order
),
{{ sqlrec.segment_members(plan, 'history_members', 'interactions') }}
{% endmacro %}

-- The users of a table under a name, with the number of users in their segment.
{% macro segment_members(plan, name, table) %}
-- The users of {{ 'the history' if table == 'interactions' else 'the baseline' }}, with the number
-- of users in their segment.
{{ name }} as (
    select known.user_id,
        count(*) over (
            {%- for segment in plan.by %}
            {{- 'partition by ' if loop.first }}{{ segment.table }}_segments.{{ segment.name }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as members
    from (select user_id from {{ table }} group by user_id) as known
    {{- sqlrec.account_joins(plan, 'known') }}
),
{% endmacro %}

-- The weight of a rank: an expression over a row.
{% macro rank_weight(discount, patience) -%}
{%- if discount == 'logarithmic' -%} discount
{%- elif discount == 'geometric' -%} {{ sqlrec.power_of_fraction(patience, 'rank - 1') }}
{%- else -%} cast(1 as double)
{%- endif -%}
{%- endmacro %}
