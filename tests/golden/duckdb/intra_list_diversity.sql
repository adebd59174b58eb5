-- Intra-list diversity: the mean distance of two items of the list, with the distances in the input
-- items, at least 0. intra_list_diversity@10.
-- Reads recs (user_id, item_id, score) and items (item_id, other_item_id, distance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The rows of items.
item_attributes as (
    select item_id, cast(distance as double) as distance, other_item_id
    from items
),

-- A distance is equal in both directions; if a pair has several rows, their mean is used.
item_distances as (
    select item_id, other_item_id, favg(distance) as distance
    from (
        select item_id, other_item_id, distance
        from item_attributes
        union all
        select other_item_id as item_id, item_id as other_item_id, distance
        from item_attributes
    ) as both_ways
    where distance is not null
    group by item_id, other_item_id
),

-- The sum of each rank's distances to the ranks above.
distant_ranks as (
    select below.user_id, below.rank, sum(item_distances.distance) as distance_above,
        count(*) as known_above
    from listed as below
    join listed as above on above.user_id = below.user_id and above.rank < below.rank
    join item_distances
        on item_distances.item_id = below.item_id and item_distances.other_item_id = above.item_id
    where below.rank <= 10
    group by below.user_id, below.rank
),

-- The ranks of each list within the cutoff.
paired as (
    select listed.user_id,
        coalesce(distant_ranks.distance_above, 0) as distance_above,
        coalesce(distant_ranks.known_above, 0) as known_above
    from listed
    left join distant_ranks
        on distant_ranks.user_id = listed.user_id and distant_ranks.rank = listed.rank
    where listed.rank <= 10
),

paired_values as (
    select
        -- Ziegler et al. 2005
        sum(distance_above) / nullif(sum(known_above), 0) as intra_list_diversity
    from paired
    group by user_id
)

select avg(intra_list_diversity) as value, count(intra_list_diversity) as users
from paired_values
