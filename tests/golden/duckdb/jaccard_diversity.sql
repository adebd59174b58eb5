-- Jaccard diversity: 1 minus the Jaccard similarity of two items' categories, averaged over the
-- pairs of the list, from 0 to 1. jaccard_diversity@10.
-- Reads recs (user_id, item_id, score) and items (item_id, category).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each item's categories, with their number.
item_categories as (
    select item_id, category, count(*) over (partition by item_id) as categories
    from (select distinct item_id, category from items where category is not null) as labels
),

-- The categories of the item at each rank.
listed_categories as (
    select listed.user_id, listed.rank, item_categories.category,
        cast(item_categories.categories as double) as categories
    from listed
    join item_categories on item_categories.item_id = listed.item_id
),

-- Each pair of ranks of a list that share a category, with the number that they share.
category_pairs as (
    select below.user_id, below.rank, below.categories, above.categories as categories_above,
        cast(count(*) as double) as shared
    from listed_categories as below
    join listed_categories as above
        on above.user_id = below.user_id and above.category = below.category
        and above.rank < below.rank
    where below.rank <= 10
    group by below.user_id, below.rank, below.categories, above.rank, above.categories
),

-- The sum of each rank's similarities to the ranks above.
shared_ranks as (
    select user_id, rank, sum(shared / (categories + categories_above - shared)) as shared_above
    from category_pairs
    group by user_id, rank
),

-- The ranks of each list within the cutoff.
paired as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        coalesce(shared_ranks.shared_above, 0) as shared_above
    from listed
    left join shared_ranks
        on shared_ranks.user_id = listed.user_id and shared_ranks.rank = listed.rank
    where listed.rank <= 10
),

paired_values as (
    select
        -- Jaccard 1912
        1
        - 2 * sum(shared_above)
        / nullif(cast(list_length as double) * (list_length - 1), 0) as jaccard_diversity
    from paired
    group by user_id, list_length
)

select avg(jaccard_diversity) as value, count(jaccard_diversity) as users
from paired_values
