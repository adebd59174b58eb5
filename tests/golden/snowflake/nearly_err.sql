-- Nearly ERR: the expected gain per rank seen by a user who stops at a rank with a probability
-- equal to its gain, and otherwise continues with a probability set by one of four equations, from
-- 0 to 1. nearly_err@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(relevance as double)
            else 0
        end as relevance,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The ranks that a user may reach, with the gain of each and of those above.
examined_ranks as (
    select truth_users.user_id, cast(numbers.number as double) as rank,
        least(coalesce(relevant.relevance, 0), 1) as gain_1
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

-- These ranks, with the probability that a user reaches each.
examined as (
    select user_id, gain_1,
        exp(
            greatest(
                coalesce(
                    sum(ln(1 - gain_1 + cast('1e-300' as double))) over (
                        partition by user_id order by rank asc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                -170
            )
        ) as going_on_1
    from examined_ranks
),

examined_values as (
    select
        -- Azzopardi, Mackenzie & Moffat 2021
        sum(gain_1 * going_on_1) / sum(going_on_1) as nearly_err
    from examined
    group by user_id
)

select avg(nearly_err) as value, count(nearly_err) as users
from examined_values
