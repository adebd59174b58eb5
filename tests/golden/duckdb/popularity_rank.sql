-- Popularity rank: the rank of an item among all of the history, the most popular being the first,
-- on average over the list, from 1 up. popularity_rank@10.
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
    select user_id,
        cast(
            bit_count(
                bit_or(
                    case when rank between 1 and 62 then cast(1 as bigint) << rank else 0 end
                ) & 2047
            ) as bigint
        ) as places_10
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

items_in_order as (
    select item_id, item_users, item_events,
        row_number() over (order by item_users desc, item_id asc) as number,
        row_number() over (partition by item_users order by item_id asc) as number_of_level,
        sum(item_users) over (
            order by item_users desc, item_id asc rows between unbounded preceding and current row
        ) as pairs
    from item_counts
),

item_popularity as (
    select
        min(number) over (partition by item_users) - 1 as items_above,
        item_id, item_users, item_events
    from items_in_order
),

-- Each place with what is known of its item.
placed as (
    select listed.user_id, listed.rank,
        cast(
            coalesce(item_popularity.items_above, history_counts.history_items) as double
        ) as items_above
    from listed
    left join item_popularity on item_popularity.item_id = listed.item_id
    cross join history_counts
),

-- The places of the first 10, with what is known of their items.
shown as (
    select shown_lists.user_id, shown_lists.list_length, placed.items_above
    from shown_lists
    join placed on placed.user_id = shown_lists.user_id and placed.rank <= 10
),

shown_values as (
    select user_id, list_length,
        sum(items_above + 1) / list_length as popularity_rank  -- Celma & Herrera 2008
    from shown
    group by user_id, list_length
)

select avg(popularity_rank) as value, count(popularity_rank) as users
from shown_values
