-- Shannon entropy: how evenly exposure is distributed over the items, in bits, from 0 up. 2 to the
-- power of the entropy is the number of equally shown items that would have the same entropy.
-- shannon_entropy@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The length of each list.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- For each item, how often lists show it.
item_exposure_sums as (
    select cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

item_exposure as (
    select users_evaluated, lists, sum(lists) over () as total_lists
    from item_exposure_sums
    cross join item_exposure_accounts
),

item_exposure_values as (
    select users_evaluated,
        sum(lists / total_lists * log(2, total_lists / lists)) as shannon_entropy  -- Shannon 1948
    from item_exposure
    group by users_evaluated
)

select shannon_entropy as value,
    cast(case when shannon_entropy is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
