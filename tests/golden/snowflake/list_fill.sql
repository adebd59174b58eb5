-- List fill: the share of the lists that have k items, or the share of the k ranks that hold an
-- item, from 0 to 1. list_fill@10.
-- Reads recs (user_id, item_id, score).
with
-- The ranks of lists, with the data of their items.
listed_items as (
    select user_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed_items.user_id, count(*) over (partition by listed_items.user_id) as list_length
    from listed_items
    where listed_items.rank <= 10
),

recommended_items_values as (
    select
        max(
            case when list_length >= 10 then cast(1 as double) else cast(0 as double) end
        ) as list_fill  -- RecTools 0.19
    from recommended_items
    group by user_id, list_length
)

select avg(list_fill) as value, count(list_fill) as users
from recommended_items_values
