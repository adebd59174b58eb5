-- Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1 all items are
-- shown equally often. If m of n items are shown equally often and the other items never, it is
-- m/n. jain_index@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
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
item_exposure_values as (
    select item_exposure_accounts.users_evaluated,
        least(
            sum(item_exposure_sums.lists) * sum(item_exposure_sums.lists),
            count(item_exposure_sums.lists)
            * sum(item_exposure_sums.lists * item_exposure_sums.lists)
        )
        / nullif(
            count(item_exposure_sums.lists)
            * sum(item_exposure_sums.lists * item_exposure_sums.lists),
            0
        ) as jain_index  -- Jain, Chiu & Hawe 1984
    from item_exposure_accounts
    cross join item_exposure_sums
    group by item_exposure_accounts.users_evaluated
)

select jain_index as value,
    cast(case when jain_index is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
