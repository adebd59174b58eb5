-- INST: the expected gain per rank for a user who is more likely to continue the further the gain
-- so far is from the goal, from 0 to 1. inst@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
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

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The ranks that a user may reach, with the gain of each and of those above.
examined_ranks as (
    select truth_users.user_id, cast(numbers.number as double) as rank,
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

-- These ranks, with the probability that a user reaches each.
examined as (
    select user_id, gain_1,
        exp(
            greatest(
                coalesce(
                    2
                    * sum(ln(1 - 1 / (rank + 2.0e0 - gain_above_1 - gain_1))) over (
                        partition by user_id order by rank asc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                -170
            )
        ) as inst_1_1
    from examined_ranks
),

examined_values as (
    select
        sum(gain_1 * inst_1_1) / sum(inst_1_1) as inst  -- Moffat, Bailey, Scholer & Thomas 2015
    from examined
    group by user_id
)

select avg(inst) as value, count(inst) as users
from examined_values
