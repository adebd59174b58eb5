-- Leak share: the share of the user's relevant items that are already in the user's history, from 0
-- to 1. leak_share@all.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and history (user_id, item_id).
-- Each row of truth is relevant.
with
-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- Each user's relevant items, and their ranks in the list.
ranked_targets as (
    select relevant.user_id,
        cast(case when interactions.item_id is not null then 1 else 0 end as double) as seen
    from relevant
    left join interactions
        on interactions.user_id = relevant.user_id and interactions.item_id = relevant.item_id
    left join recs on recs.user_id = relevant.user_id and recs.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items_values as (
    select
        favg(ranked_targets.seen) as leak_share  -- Ji, Sun, Zhang & Li 2023
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
    group by truth_users.user_id
)

select avg(leak_share) as value, count(leak_share) as users
from target_items_values
