-- Surprisal: the mean self-information of the list's items in the history, in bits, at least 0.
-- surprisal@10.
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

-- The size of the history.
history_counts as (select count(distinct user_id) as history_users from interactions),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(history_counts.history_users as double) as history_users
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    cross join history_counts
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(
            log2(nullif(history_users, 0) / case when item_users > 0 then item_users else 1 end)
        ) / list_length as surprisal  -- Zhou et al. 2010
    from recommended_items
    group by user_id, list_length, history_users
)

select avg(surprisal) as value, count(surprisal) as users
from recommended_items_values
