-- List fill: the share of the lists that have k places, or the share of the k places that hold an
-- item, from 0 to 1. list_fill@10.
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
    select listed.user_id, count(*) over (partition by listed.user_id) as list_length
    from listed
    where listed.rank <= 10
),

shown_values as (
    select user_id, list_length,
        max(
            case when list_length >= 10 then cast(1 as double) else cast(0 as double) end
        ) as list_fill  -- RecTools 0.19
    from shown
    group by user_id, list_length
)

select avg(list_fill) as value, count(list_fill) as users
from shown_values
