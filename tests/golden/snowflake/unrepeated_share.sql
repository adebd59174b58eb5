-- Unrepeated share: the share of lists that have no item twice, or the share of the places within k
-- that show an item for the first time, from 0 to 1. unrepeated_share@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The first 10 places of each list, with what is known about their items.
shown as (
    select listed.user_id, listed.item_id, listed.rank
    from listed
    where listed.rank <= 10
),

shown_values as (
    select user_id,
        case
            when count(distinct item_id) = count(rank) then cast(1 as double)
            else cast(0 as double)
        end as unrepeated_share  -- RecTools 0.19
    from shown
    group by user_id
)

select avg(unrepeated_share) as value, count(unrepeated_share) as users
from shown_values
