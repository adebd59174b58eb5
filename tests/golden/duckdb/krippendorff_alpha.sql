-- Krippendorff's alpha: 1 minus the disagreement of a judge and people divided by the disagreement
-- expected by chance, both as squared differences, from -1 to 1. At 0 the score and the grade of an
-- item differ by as much as two randomly drawn scores or grades. krippendorff_alpha@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- One row of each list is marked as its first, to count lists.
pooled_lists as (
    select listed.score, relevant.grade,
        case
            when row_number() over (partition by listed.user_id order by listed.rank asc) = 1 then 1
            else 0
        end as first_of_list
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

-- The rated items of all users together.
pooled as (
    select
        sum(first_of_list) over () as users_evaluated,
        cast(score as double) as predicted, grade, favg(grade) over () as mean_grade
    from pooled_lists
),

pooled_values as (
    select users_evaluated,
        case
            when min(grade) < max(grade) or max(abs(predicted - grade)) > 0
                then 1
                - (2 * cast(count(*) as double) - 1)
                * sum((predicted - grade) * (predicted - grade))
                / nullif(
                    2 * cast(count(*) as double) * sum(
                        (predicted - mean_grade) * (predicted - mean_grade)
                        + (grade - mean_grade) * (grade - mean_grade)
                    ) - sum(predicted - grade) * sum(predicted - grade),
                    0
                )
        end as krippendorff_alpha  -- Krippendorff 2011
    from pooled
    group by users_evaluated
)

select krippendorff_alpha as value,
    cast(case when krippendorff_alpha is null then 0 else users_evaluated end as bigint) as users
from pooled_values
