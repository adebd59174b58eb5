-- Popularity rank: the rank of an item by popularity in the history, 1 for the most popular,
-- averaged over the list, at least 1. popularity_rank@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- The size of the history.
history_counts as (select count(distinct item_id) as history_items from interactions),

-- The number of users with each item.
items_in_order as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The popularity of each item, by its users.
item_popularity as (
    select item_id, rank() over (order by item_users desc) - 1 as items_above
    from items_in_order
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(
            coalesce(item_popularity.items_above, history_counts.history_items) as double
        ) as items_above
    from listed
    left join item_popularity on item_popularity.item_id = listed.item_id
    cross join history_counts
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(items_above + 1) / list_length as popularity_rank  -- Celma & Herrera 2008
    from recommended_items
    group by user_id, list_length
)

select avg(popularity_rank) as value, count(popularity_rank) as users
from recommended_items_values
