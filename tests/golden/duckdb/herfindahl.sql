-- Herfindahl index: how much the places of all lists are concentrated on few items, from 0 to 1.
-- Its inverse is the number of equally shown items that would have the same value. herfindahl@10.
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
    select cast(count(*) as double) as lists, cast(sum(count(*)) over () as double) as total_lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

exposed_values as (
    select
        sum(lists / total_lists * lists / total_lists) as herfindahl  -- Herfindahl 1950
    from exposed
)

select herfindahl as value, cast(null as bigint) as users
from exposed_values
