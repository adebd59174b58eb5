-- Gini: how unequally exposure is distributed over the items, from 0 to 1. At 0 all items are shown
-- equally often, near 1 a few items get everything. gini@10.
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
    select listed.item_id, cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

-- Each item, with its columns.
item_exposure as (
    select item_exposure_accounts.users_evaluated, item_exposure_sums.lists,
        cast(
            row_number() over (
                order by coalesce(item_exposure_sums.lists, 0) desc, item_exposure_sums.item_id asc
            ) as double
        ) as rank_lists
    from item_exposure_accounts
    cross join item_exposure_sums
),

item_exposure_values as (
    select users_evaluated,
        case
            when (count(lists) + 1 - 2 * sum(rank_lists * lists) / sum(lists)) / count(lists) < 0
                then 0
            else (count(lists) + 1 - 2 * sum(rank_lists * lists) / sum(lists)) / count(lists)
        end as gini  -- Gini 1912
    from item_exposure
    group by users_evaluated
)

select gini as value,
    cast(case when gini is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
