-- Serendipity: the share of the list that is relevant, with each hit weighted by how far above its
-- popularity rank it is ranked, from 0 to 1. serendipity@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and history (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
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
    select item_id, dense_rank() over (order by item_users desc) - 1 as levels_above
    from items_in_order
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        cast(history_counts.history_items as double) as history_items,
        cast(item_popularity.levels_above as double) as levels_above,
        coalesce(relevant.is_relevant, 0) as hit, listed.rank
    from listed
    left join item_popularity on item_popularity.item_id = listed.item_id
    cross join history_counts
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
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
    from recommended_items
    group by user_id, list_length, relevant_items, history_items
)

select avg(serendipity) as value, count(serendipity) as users
from recommended_items_values
