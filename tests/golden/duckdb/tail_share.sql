-- Tail share: the share of the list's items that are in the long tail, from 0 to 1. Known as APLT,
-- the average percentage of long tail items. tail_share@10.
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
history_counts as (select count(*) as history_pairs from interactions),

-- The share of the history of each item and the more popular items.
items_in_order as (
    select
        *,
        sum(item_users) over (
            order by item_users desc, item_id asc rows between unbounded preceding and current row
        ) as pairs
    from item_counts
),

-- The popularity of each item, by its users.
item_popularity as (
    select item_id, min(pairs) over (partition by item_users) - item_users as pairs_above
    from items_in_order
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(history_counts.history_pairs as double) as history_pairs,
        cast(
            coalesce(item_popularity.pairs_above, history_counts.history_pairs) as double
        ) as pairs_above
    from listed
    left join item_popularity on item_popularity.item_id = listed.item_id
    cross join history_counts
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(
            case
                when pairs_above / nullif(history_pairs, 0) < 0.8e0 then cast(0 as double)
                else cast(1 as double)
            end
        ) / list_length as tail_share  -- Abdollahpouri et al. 2019
    from recommended_items
    group by user_id, list_length, history_pairs
)

select avg(tail_share) as value, count(tail_share) as users
from recommended_items_values
