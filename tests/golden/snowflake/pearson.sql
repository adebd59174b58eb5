-- Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1. pearson@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when relevance > 0 then 1 else 0 end as double) as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- Listed items that the truth grades, within the cutoff.
rated_items as (
    select listed.user_id, listed.rank, listed.score, relevant.grade,
        relevant.is_relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and listed.rank <= 10
),

rated as (
    select user_id, cast(score as double) as predicted,
        avg(cast(score as double)) over (partition by user_id) as mean_predicted,
        avg(grade) over (partition by user_id) as mean_grade,
        grade, relevant
    from rated_items
),

rated_values as (
    select user_id,
        case
            when min(predicted) < max(predicted) and min(grade) < max(grade)
                then sum(
                    case
                        when abs(predicted - mean_predicted) > cast('1e-150' as double)
                            and abs(grade - mean_grade) > cast('1e-150' as double)
                            then (predicted - mean_predicted) * (grade - mean_grade)
                        else cast(0 as double)
                    end
                )
                / nullif(
                    sqrt(
                        sum(
                            case
                                when abs(predicted - mean_predicted) > cast('1e-150' as double)
                                    then (predicted - mean_predicted) * (predicted - mean_predicted)
                                else cast(0 as double)
                            end
                        )
                    )
                    * sqrt(
                        sum(
                            case
                                when abs(grade - mean_grade) > cast('1e-150' as double)
                                    then (grade - mean_grade) * (grade - mean_grade)
                                else cast(0 as double)
                            end
                        )
                    ),
                    0
                )
        end as pearson  -- Pearson 1895
    from rated
    group by user_id
)

select avg(pearson) as value, count(pearson) as users
from rated_values
