-- Equity of attention: the difference of each item's shares of attention and of merit, added up
-- over items, from 0 to 2. At 0 each item is shown in proportion to the number of users to whom it
-- is relevant. equity_of_attention@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
item_exposure_sums as (
    select listed.item_id, sum(1 / log2(listed.rank + 1)) as exposure,
        cast(null as double) as relevant_pairs
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select relevant.item_id, cast(null as double) as exposure,
        sum(relevant.is_relevant) as relevant_pairs
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    group by relevant.item_id
),

-- The sums of each item from all sources.
item_exposure_counted as (
    select sum(exposure) as exposure, sum(relevant_pairs) as relevant_pairs
    from item_exposure_sums
    group by item_id
),

-- Each item, with its columns.
item_exposure as (
    select item_exposure_accounts.users_evaluated, item_exposure_counted.exposure,
        item_exposure_counted.relevant_pairs,
        sum(item_exposure_counted.exposure) over () as total_exposure,
        sum(item_exposure_counted.relevant_pairs) over () as total_relevant_pairs
    from item_exposure_accounts
    cross join item_exposure_counted
),

item_exposure_values as (
    select users_evaluated,
        case
            when max(total_relevant_pairs) > 0
                then least(
                    sum(
                        abs(
                            coalesce(exposure, 0) / total_exposure
                            - coalesce(relevant_pairs, 0) / total_relevant_pairs
                        )
                    ),
                    2
                )
        end as equity_of_attention  -- Biega, Gummadi & Weikum 2018
    from item_exposure
    group by users_evaluated
)

select equity_of_attention as value,
    cast(case when equity_of_attention is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
