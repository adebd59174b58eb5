-- Gini: how unequally exposure is distributed over the items, from 0 to 1. At 0 all items are shown
-- alike, near 1 a few items get everything. gini@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- For each item, how often lists show it.
exposed_items as (
    select listed.item_id, cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

-- The same with what is made of both.
exposed as (
    select lists,
        cast(
            row_number() over (order by coalesce(lists, 0) desc, item_id asc) as double
        ) as place_lists
    from exposed_items
),

exposed_values as (
    select
        case
            when (count(lists) + 1 - 2 * sum(place_lists * lists) / sum(lists)) / count(lists) < 0
                then 0
            else (count(lists) + 1 - 2 * sum(place_lists * lists) / sum(lists)) / count(lists)
        end as gini  -- Gini 1912
    from exposed
)

select gini as value, cast(null as bigint) as users
from exposed_values
