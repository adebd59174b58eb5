-- Leak share: the share of the user's relevant items that the user's history has already, from 0 to
-- 1. leak_share@all.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and history (user_id, item_id). All of truth is relevant.
with
-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- The items that each user had.
interactions as (select distinct user_id, item_id from history),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items.
wanted_items as (
    select relevant.user_id,
        cast(case when interactions.item_id is not null then 1 else 0 end as double) as seen
    from relevant
    left join interactions
        on interactions.user_id = relevant.user_id and interactions.item_id = relevant.item_id
),

-- Each relevant item of who is averaged over.
targets as (
    select evaluated.user_id, wanted_items.seen
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id, favg(seen) as leak_share  -- Ji, Sun, Zhang & Li 2023
    from targets
    group by user_id
)

select avg(leak_share) as value, count(leak_share) as users
from targets_values
