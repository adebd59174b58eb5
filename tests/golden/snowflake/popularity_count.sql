-- Popularity count: how many users of the history had an item, averaged over the list, from 0 up.
-- Known as ARP, average recommendation popularity. popularity_count@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The items that each user had.
interactions as (select distinct user_id, item_id from history),

-- How many users had each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The first 10 places of each list, with what is known about their items.
shown as (
    select listed.user_id,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        count(*) over (partition by listed.user_id) as list_length
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    where listed.rank <= 10
),

shown_values as (
    select user_id, list_length,
        sum(item_users) / list_length as popularity_count  -- Yin et al. 2012
    from shown
    group by user_id, list_length
)

select avg(popularity_count) as value, count(popularity_count) as users
from shown_values
