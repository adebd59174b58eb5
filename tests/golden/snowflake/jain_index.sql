-- Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1 all items are
-- shown alike. If m of n items are shown alike and the others never, it is m/n. jain_index@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- For each item, how often lists show it.
exposed as (
    select cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

exposed_values as (
    select
        least(sum(lists) * sum(lists), count(lists) * sum(lists * lists))
        / nullif(count(lists) * sum(lists * lists), 0) as jain_index  -- Jain, Chiu & Hawe 1984
    from exposed
)

select jain_index as value, cast(null as bigint) as users
from exposed_values
