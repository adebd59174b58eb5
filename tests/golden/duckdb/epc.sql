-- EPC: expected popularity complement: how many of the users did not have the relevant items of the
-- list, the more the further up they stand, from 0 to 1. epc@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance) and
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
    select user_id, item_id, cast(1 as double) as is_relevant
    from truth
    where relevance > 0
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
    select list_lengths.user_id
    from list_lengths
    where list_lengths.places_10 > 0
),

-- Each place with what is known of its item.
placed as (
    select listed.user_id, listed.rank, 1 / log2(listed.rank + 1) as discount,
        coalesce(relevant.is_relevant, 0) as hit,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(history_counts.history_users as double) as history_users
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    cross join history_counts
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

-- The places of the first 10, with what is known of their items.
shown as (
    select shown_lists.user_id,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        placed.discount, placed.hit, placed.item_users, placed.history_users
    from shown_lists
    join placed on placed.user_id = shown_lists.user_id and placed.rank <= 10
    left join truth_users on truth_users.user_id = shown_lists.user_id
),

shown_values as (
    select user_id, relevant_items, history_users,
        case
            when relevant_items > 0
                then sum(
                    discount * hit * (1 - item_users / nullif(history_users, 0))
                ) / sum(discount)
        end as epc  -- Vargas & Castells 2011
    from shown
    group by user_id, relevant_items, history_users
)

select avg(epc) as value, count(epc) as users
from shown_values
