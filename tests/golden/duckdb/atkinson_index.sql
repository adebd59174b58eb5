-- Atkinson's index: the share of all exposure that could be given up without loss of social
-- welfare, if the remaining exposure were divided equally among the items, from 0 to 1. At 0, all
-- items are shown equally often, near 1, a few items receive almost all exposure.
-- atkinson_index@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- Each row of the sources, with the terms that it adds to the sums of its item.
item_exposure_added as (select item_id, cast(1 as double) as lists from listed where rank <= 10),

-- The sums of each item.
item_exposure_sums as (select sum(lists) as lists from item_exposure_added group by item_id),

-- Each item, with its ranks.
item_exposure_values as (
    select item_exposure_accounts.users_evaluated,
        case
            when power(
                sum(power(item_exposure_sums.lists, 0.5e0)) / count(item_exposure_sums.lists), 2.0e0
            ) * count(item_exposure_sums.lists) / nullif(sum(item_exposure_sums.lists), 0) > 1
                then 0
            else 1
                - power(
                    sum(power(item_exposure_sums.lists, 0.5e0)) / count(item_exposure_sums.lists),
                    2.0e0
                ) * count(item_exposure_sums.lists) / nullif(sum(item_exposure_sums.lists), 0)
        end as atkinson_index  -- Atkinson 1970
    from item_exposure_accounts
    cross join item_exposure_sums
    group by item_exposure_accounts.users_evaluated
)

select atkinson_index as value,
    cast(case when atkinson_index is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
