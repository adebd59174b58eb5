-- Unrepeated share: the share of lists that have no item twice, or the share of recommendations
-- within k that show an item for the first time, from 0 to 1. unrepeated_share@10.
-- Reads recs (user_id, item_id, score).
with
-- The ranks of lists, with the data of their items.
listed_items as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The ranks of each list within the cutoff.
recommended_items_values as (
    select
        case
            when count(distinct listed_items.item_id) = count(listed_items.rank)
                then cast(1 as double)
            else cast(0 as double)
        end as unrepeated_share  -- RecTools 0.19
    from listed_items
    where listed_items.rank <= 10
    group by listed_items.user_id
)

select avg(unrepeated_share) as value, count(unrepeated_share) as users
from recommended_items_values
