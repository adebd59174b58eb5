-- Depth precision: the precision of the first d ranks, averaged over all depths d down to k, from 0
-- to 1. A hit at a higher rank has more weight, even if no other item is relevant.
-- depth_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
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

-- These ranks, with the probability that a user reaches each.
examined as (
    select truth_users.user_id, cast(numbers.number as double) as rank,
        coalesce(
            sum(relevant.is_relevant) over (
                partition by truth_users.user_id order by numbers.number asc
                rows between unbounded preceding and current row
            ),
            0
        ) as hits_so_far
    from truth_users
    join (
        select 1 as number union all select 2 union all select 3 union all select 4
        union all select 5 union all select 6 union all select 7 union all select 8
        union all select 9 union all select 10
    ) as numbers on numbers.number <= 10
    left join listed on listed.user_id = truth_users.user_id and listed.rank = numbers.number
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where truth_users.relevant_items > 0
),

examined_values as (
    select
        sum(hits_so_far / rank) / 10 as depth_precision  -- Elliot 0.3.1
    from examined
    group by user_id
)

select avg(depth_precision) as value, count(depth_precision) as users
from examined_values
