-- Herfindahl index: how much the places of all lists are concentrated on few items, from 0 to 1.
-- Its inverse is the number of equally shown items that would have the same value. herfindahl@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The users with a list.
shown_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
exposed_accounts as (select count(*) as users_evaluated from shown_lists),

-- For each item, how often lists show it.
exposed_sums as (
    select listed.item_id, cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

exposed as (
    select users_evaluated, item_id, lists, sum(lists) over () as total_lists
    from exposed_sums
    cross join exposed_accounts
),

exposed_values as (
    select users_evaluated,
        sum(lists / total_lists * lists / total_lists) as herfindahl  -- Herfindahl 1950
    from exposed
    group by users_evaluated
)

select herfindahl as value,
    cast(case when herfindahl is null then 0 else users_evaluated end as bigint) as users
from exposed_values
