-- Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1. pearson@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- Listed items that the truth grades, within the cutoff.
rated_items as (
    select listed.user_id, listed.score, relevant.grade
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

-- Each rated item within the cutoff.
rated as (
    select user_id, cast(score as double) as predicted, grade,
        avg(cast(score as double)) over (partition by user_id) as mean_predicted,
        avg(grade) over (partition by user_id) as mean_grade
    from rated_items
),

rated_values as (
    select user_id,
        case
            when min(predicted) < max(predicted)
                and min(grade) < max(grade)
                and sqrt(sum((predicted - mean_predicted) * (predicted - mean_predicted)))
                * sqrt(sum((grade - mean_grade) * (grade - mean_grade))) > 0
                then greatest(
                    least(
                        sum((predicted - mean_predicted) * (grade - mean_grade))
                        / nullif(
                            sqrt(sum((predicted - mean_predicted) * (predicted - mean_predicted)))
                            * sqrt(sum((grade - mean_grade) * (grade - mean_grade))),
                            0
                        ),
                        1
                    ),
                    -1
                )
        end as pearson  -- Pearson 1895
    from rated
    group by user_id
)

select avg(pearson) as value, count(pearson) as users
from rated_values
