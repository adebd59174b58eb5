-- Novelty: the share of the list that the user's history does not have, from 0 to 1. novelty@10.
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

shown_lists as (
    select list_lengths.user_id, list_lengths.places_10 as list_length
    from list_lengths
    where list_lengths.places_10 > 0
),

-- Each place with what is known of its item.
placed as (
    select listed.user_id, listed.rank,
        case when seen.events > 0 then cast(1 as double) else cast(0 as double) end as seen
    from listed
    left join seen on seen.user_id = listed.user_id and seen.item_id = listed.item_id
),

-- The places of the first 10, with what is known of their items.
shown as (
    select shown_lists.user_id, shown_lists.list_length, placed.seen
    from shown_lists
    join placed on placed.user_id = shown_lists.user_id and placed.rank <= 10
),

shown_values as (
    select user_id, list_length,
        sum(1 - seen) / list_length as novelty  -- RePlay 0.22
    from shown
    group by user_id, list_length
)

select avg(novelty) as value, count(novelty) as users
from shown_values
