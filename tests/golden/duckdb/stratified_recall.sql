-- Popularity-stratified recall: recall in which a relevant item counts less the more popular it is,
-- from 0 to 1. stratified_recall@10.
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

-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- Each user's relevant items, and their ranks in the list.
ranked_targets as (
    select relevant.user_id, listed.rank,
        cast(coalesce(item_counts.item_users, 1) as double) as item_users
    from relevant
    left join item_counts on item_counts.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select truth_users.user_id,
        cast(case when ranked_targets.rank <= 10 then 1 else 0 end as double) as found,
        ranked_targets.item_users
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

target_items_values as (
    select
        -- Steck 2011
        sum(found * power(item_users, -0.5e0)) / sum(power(item_users, -0.5e0)) as stratified_recall
    from target_items
    group by user_id
)

select avg(stratified_recall) as value, count(stratified_recall) as users
from target_items_values
