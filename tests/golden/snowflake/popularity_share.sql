-- Popularity share: the share of the history's users who had an item, on average over the list,
-- from 0 to 1. popularity_share@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- How long each list is.
list_lengths as (
    select user_id, cast(sum(case when rank <= 10 then 1 else 0 end) as bigint) as places_10
    from listed
    group by user_id
),

seen as (
    select user_id, item_id, count(*) as events
    from history
    group by user_id, item_id
),

item_counts as (
    select item_id, count(*) as item_users, sum(events) as item_events
    from seen
    group by item_id
),

history_counts as (
    select
        count(distinct user_id) as history_users,
        count(distinct item_id) as history_items, count(*) as history_pairs
    from seen
),

shown_lists as (
    select list_lengths.user_id, list_lengths.places_10 as list_length
    from list_lengths
    where list_lengths.places_10 > 0
),

-- Each place with what is known of its item.
placed as (
    select listed.user_id, listed.rank,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(history_counts.history_users as double) as history_users
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    cross join history_counts
),

-- The places of the first 10, with what is known of their items.
shown as (
    select shown_lists.user_id, shown_lists.list_length, placed.item_users, placed.history_users
    from shown_lists
    join placed on placed.user_id = shown_lists.user_id and placed.rank <= 10
),

shown_values as (
    select user_id, list_length, history_users,
        -- Zhou et al. 2010
        sum(item_users / nullif(history_users, 0)) / list_length as popularity_share
    from shown
    group by user_id, list_length, history_users
)

select avg(popularity_share) as value, count(popularity_share) as users
from shown_values
