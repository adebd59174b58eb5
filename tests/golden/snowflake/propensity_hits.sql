-- Propensity hits: the number of hits, each weighted by the inverse of its item's share of the
-- history, from 0 up. propensity_hits@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and history (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- The items that each user had.
interactions as (select distinct user_id, item_id from history),

-- How many users had each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The size of the history.
history_counts as (select count(*) as history_pairs from interactions),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items, and their places in the list.
wanted_items as (
    select relevant.user_id, listed.rank,
        coalesce(
            cast(history_counts.history_pairs as double) / item_counts.item_users, 0
        ) as item_rarity
    from relevant
    left join item_counts on item_counts.item_id = relevant.item_id
    cross join history_counts
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id,
        cast(case when wanted_items.rank <= 10 then 1 else 0 end as double) as found,
        wanted_items.item_rarity
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        -- RecPack 0.3
        coalesce(sum(found * least(item_rarity, cast(10000 as double))), 0) as propensity_hits
    from targets
    group by user_id
)

select avg(propensity_hits) as value, count(propensity_hits) as users
from targets_values
