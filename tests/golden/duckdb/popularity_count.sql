-- Popularity count: how many users of the history had an item, averaged over the list, at least 0.
-- Known as ARP, average recommendation popularity. popularity_count@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(item_users) / list_length as popularity_count  -- Yin et al. 2012
    from recommended_items
    group by user_id, list_length
)

select avg(popularity_count) as value, count(popularity_count) as users
from recommended_items_values
