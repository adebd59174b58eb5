-- Cohen's kappa: how far a judge and people agree beyond chance, where disagreement is the squared
-- difference of their grades, from -1 to 1. At 0 they agree as if the judge's grades were assigned
-- at random. cohen_kappa@10.
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
    select listed.user_id, listed.rank, listed.score, relevant.grade
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

-- One row of each list is its first, by which lists are counted.
pooled_lists as (
    select user_id, score, grade,
        case
            when row_number() over (partition by user_id order by rank asc) = 1 then 1
            else 0
        end as first_of_list
    from rated_items
),

-- The rated items of all users together.
pooled as (
    select
        sum(first_of_list) over () as users_evaluated,
        cast(score as double) as predicted, grade, avg(grade) over () as mean_grade
    from pooled_lists
),

pooled_values as (
    select users_evaluated,
        case
            when min(grade) < max(grade) or max(abs(predicted - grade)) > 0
                then 1
                - least(
                    sum((predicted - grade) * (predicted - grade)),
                    2 * sum(
                        (predicted - mean_grade) * (predicted - mean_grade)
                        + (grade - mean_grade) * (grade - mean_grade)
                    )
                )
                / nullif(
                    sum(
                        (predicted - mean_grade) * (predicted - mean_grade)
                        + (grade - mean_grade) * (grade - mean_grade)
                    ),
                    0
                )
        end as cohen_kappa  -- Cohen 1968
    from pooled
    group by users_evaluated
)

select cohen_kappa as value,
    cast(case when cohen_kappa is null then 0 else users_evaluated end as bigint) as users
from pooled_values
