-- Paired: one row per rank of a recommended list within k, with sums over the pairs of its item
-- with each item above. So each pair of items of a list counts once.
--
--   model             the model of the list, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the length of the list, at most k; never 0
--   tied              1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   rank              the item's rank, from 1
--   shared_above      the sum of the Jaccard similarities of this item's categories and the
--                     categories of each item above; only pairs that share a category are joined,
--                     since other pairs add 0
--   distance_above    the sum of the distances to items above that have a distance in items
--   known_above       number of items above that have a distance in items
--
-- Each query, with the queries that it reads:
--
--   category_pairs    listed_categories
--   shared_ranks      category_pairs
--   item_distances    item_attributes
--   distant_ranks     listed, item_distances
--   paired_ranks      listed, shared_ranks, distant_ranks
--   paired            paired_ranks, recommended_lists

{% macro paired(plan, kind, used) %}
-- Each pair of ranks of a list that share a category, with the number that they share.
category_pairs as (
    select below.model, below.user_id, below.rank, below.categories,
        above.categories as categories_above,
        cast(count(*) as double) as shared
    from listed_categories as below
    join listed_categories as above
        on above.model = below.model and above.user_id = below.user_id
        and above.category = below.category and above.rank < below.rank
    where below.rank <= {{ kind.cutoffs | max }}
    group by below.model, below.user_id, below.rank, below.categories, above.rank, above.categories
),
-- The sum of each rank's similarities to the ranks above.
shared_ranks as (
    select model, user_id, rank, sum(shared / (categories + categories_above - shared)) as shared_above
    from category_pairs
    group by model, user_id, rank
),
-- A distance is equal in both directions; if a pair has several rows, their mean is used.
item_distances as (
    select item_id, other_item_id, favg(distance) as distance
    from (
        select item_id, other_item_id, distance from item_attributes
        union all
        select other_item_id as item_id, item_id as other_item_id, distance from item_attributes
    ) as both_ways
    where distance is not null
    group by item_id, other_item_id
),
-- The sum of each rank's distances to the ranks above.
distant_ranks as (
    select below.model, below.user_id, below.rank,
        sum(item_distances.distance) as distance_above,
        count(*) as known_above
    from listed as below
    join listed as above
        on above.model = below.model and above.user_id = below.user_id and above.rank < below.rank
    join item_distances
        on item_distances.item_id = below.item_id and item_distances.other_item_id = above.item_id
    where below.rank <= {{ kind.cutoffs | max }}
    group by below.model, below.user_id, below.rank
),
-- Each rank, with its similarities and distances to the ranks above.
paired_ranks as (
    select listed.model, listed.user_id, listed.rank,
        coalesce(shared_ranks.shared_above, 0) as shared_above,
        coalesce(distant_ranks.distance_above, 0) as distance_above,
        coalesce(distant_ranks.known_above, 0) as known_above
    from listed
    left join shared_ranks
        on shared_ranks.model = listed.model and shared_ranks.user_id = listed.user_id and shared_ranks.rank = listed.rank
    left join distant_ranks
        on distant_ranks.model = listed.model and distant_ranks.user_id = listed.user_id and distant_ranks.rank = listed.rank
),
{{ sqlrec.ranks_within_cutoff(plan, kind, 'paired', 'paired_ranks') }}
{% endmacro %}
