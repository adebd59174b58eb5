-- Herfindahl index: how much all recommendations are concentrated on few items, from 0 to 1. Its
-- inverse is the number of equally shown items that would have the same value. herfindahl@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
item_exposure_sums as (
    select cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

-- Each item, with its columns.
item_exposure as (
    select item_exposure_accounts.users_evaluated, item_exposure_sums.lists,
        sum(item_exposure_sums.lists) over () as total_lists
    from item_exposure_accounts
    cross join item_exposure_sums
),

item_exposure_values as (
    select users_evaluated,
        sum(lists / total_lists * lists / total_lists) as herfindahl  -- Herfindahl 1950
    from item_exposure
    group by users_evaluated
)

select herfindahl as value,
    cast(case when herfindahl is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
