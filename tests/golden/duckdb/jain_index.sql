-- Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1 all items are
-- shown alike. If m of n items are shown alike and the others never, it is m/n. jain_index@10.
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
    select users_evaluated, item_id, lists
    from exposed_sums
    cross join exposed_accounts
),

exposed_values as (
    select users_evaluated,
        least(sum(lists) * sum(lists), count(lists) * sum(lists * lists))
        / nullif(count(lists) * sum(lists * lists), 0) as jain_index  -- Jain, Chiu & Hawe 1984
    from exposed
    group by users_evaluated
)

select jain_index as value,
    cast(case when jain_index is null then 0 else users_evaluated end as bigint) as users
from exposed_values
