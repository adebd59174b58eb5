-- Threshold F1: the harmonic mean of threshold precision and threshold recall, from 0 to 1.
-- threshold_f1@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id, cast(relevance as double) as grade,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each item that the truth grades, with its score within the cutoff.
graded as (
    select truth_users.user_id, relevant.grade,
        case when listed.rank <= 10 then cast(listed.score as double) end as predicted
    from truth_users
    left join relevant on relevant.user_id = truth_users.user_id
    left join listed on listed.user_id = truth_users.user_id and listed.item_id = relevant.item_id
    where truth_users.relevant_items > 0
),

graded_values as (
    select
        coalesce(
            2
            * sum(cast(case when predicted >= 3.5e0 and grade >= 3.5e0 then 1 else 0 end as double))
            / nullif(
                sum(cast(case when predicted >= 3.5e0 then 1 else 0 end as double))
                + sum(cast(case when grade >= 3.5e0 then 1 else 0 end as double)),
                0
            ),
            0
        ) as threshold_f1  -- van Rijsbergen 1979
    from graded
    group by user_id
)

select avg(threshold_f1) as value, count(threshold_f1) as users
from graded_values
