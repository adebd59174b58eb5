-- Popularity-stratified recall: recall in which a relevant item counts less the more popular it is,
-- from 0 to 1. stratified_recall@10.
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

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items, and their places in the list.
wanted_items as (
    select relevant.user_id, listed.rank,
        cast(coalesce(item_counts.item_users, 1) as double) as item_users
    from relevant
    left join item_counts on item_counts.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id,
        cast(case when wanted_items.rank <= 10 then 1 else 0 end as double) as found,
        wanted_items.item_users
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        sum(found * power(item_users, cast('-0.5' as double)))
        / sum(power(item_users, cast('-0.5' as double))) as stratified_recall  -- Steck 2011
    from targets
    group by user_id
)

select avg(stratified_recall) as value, count(stratified_recall) as users
from targets_values
