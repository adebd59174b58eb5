-- Serendipity: the share of the list that is relevant, weighed by how much further up it stands
-- than its popularity would put it, from 0 to 1. serendipity@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id), all of it relevant and
-- history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(1 as double) as is_relevant from truth
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

-- What each user of the truth has.
truth_users as (
    select user_id, count(*) as relevant_items
    from relevant
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
        sum(case when number_of_level = 1 then 1 else 0 end) over (
            order by item_users desc, item_id asc rows between unbounded preceding and current row
        ) - 1 as levels_above,
        item_id, item_users, item_events
    from items_in_order
),

-- Each place with what is known of its item.
placed as (
    select listed.user_id, listed.rank,
        cast(item_popularity.levels_above as double) as levels_above,
        coalesce(relevant.is_relevant, 0) as hit,
        cast(history_counts.history_items as double) as history_items
    from listed
    left join item_popularity on item_popularity.item_id = listed.item_id
    cross join history_counts
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

-- The places of the first 10, with what is known of their items.
shown as (
    select shown_lists.user_id, shown_lists.list_length,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        placed.rank, placed.levels_above, placed.hit, placed.history_items
    from shown_lists
    join placed on placed.user_id = shown_lists.user_id and placed.rank <= 10
    left join truth_users on truth_users.user_id = shown_lists.user_id
),

shown_values as (
    select user_id, list_length, relevant_items, history_items,
        case
            when relevant_items > 0
                then sum(
                    hit * case
                        when coalesce(levels_above, history_items) + 1 > rank
                            then coalesce(levels_above, history_items) + 1 - rank
                        else cast(0 as double)
                    end
                ) / nullif(history_items, 0) / list_length
        end as serendipity  -- RecTools 0.19
    from shown
    group by user_id, list_length, relevant_items, history_items
)

select avg(serendipity) as value, count(serendipity) as users
from shown_values
