-- Threshold F1: the harmonic mean of threshold precision and threshold recall, from 0 to 1.
-- threshold_f1@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when relevance > 0 then 1 else 0 end as double) as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- The population: users with relevant items.
evaluated as (
    select user_id
    from relevant
    group by user_id
    having sum(is_relevant) > 0
),

-- Each item that the truth grades, with its score within the cutoff.
graded as (
    select evaluated.user_id, relevant.grade,
        case when listed.rank <= 10 then cast(listed.score as double) end as predicted
    from evaluated
    left join relevant on relevant.user_id = evaluated.user_id
    left join listed on listed.user_id = evaluated.user_id and listed.item_id = relevant.item_id
),

graded_values as (
    select user_id,
        coalesce(
            2
            * sum(
                cast(
                    case
                        when predicted >= cast('3.5' as double) and grade >= cast('3.5' as double)
                            then 1
                        else 0
                    end as double
                )
            )
            / nullif(
                sum(cast(case when predicted >= cast('3.5' as double) then 1 else 0 end as double))
                + sum(cast(case when grade >= cast('3.5' as double) then 1 else 0 end as double)),
                0
            ),
            0
        ) as threshold_f1  -- van Rijsbergen 1979
    from graded
    group by user_id
)

select avg(threshold_f1) as value, count(threshold_f1) as users
from graded_values
