-- BPM: the mean gain of the ranks seen by a user who stops after gaining enough, or at rank k, from
-- 0 to 1. bpm@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
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

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- These ranks, with the probability that a user reaches each rank.
examined as (
    select truth_users.user_id,
        least(coalesce(relevant.relevance, 0), 1) as gain_1,
        coalesce(
            sum(least(coalesce(relevant.relevance, 0), 1)) over (
                partition by truth_users.user_id order by numbers.number asc
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as gain_above_1
    from truth_users
    join (select number from range(1, 11) as counted (number)) as numbers on numbers.number <= 10
    left join listed on listed.user_id = truth_users.user_id and listed.rank = numbers.number
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where truth_users.relevant_items > 0
),

examined_values as (
    select
        avg(case when gain_above_1 < 1.0e0 then gain_1 end) as bpm  -- Zhang et al. 2017
    from examined
    group by user_id
)

select avg(bpm) as value, count(bpm) as users
from examined_values
