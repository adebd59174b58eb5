-- Spearman's rho: the rank correlation of a user's scores and grades, from -1 to 1. spearman@10.
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

-- Each rated item within the cutoff.
rated as (
    select listed.user_id,
        (
            cast(
                row_number() over (
                    partition by listed.user_id order by listed.score asc, listed.rank asc
                ) as double
            )
            - cast(
                row_number() over (
                    partition by listed.user_id order by listed.score desc, listed.rank asc
                ) as double
            )
        ) / 2 as predicted_rank,
        (
            cast(
                row_number() over (
                    partition by listed.user_id order by relevant.grade asc, listed.rank asc
                ) as double
            )
            - cast(
                row_number() over (
                    partition by listed.user_id order by relevant.grade desc, listed.rank asc
                ) as double
            )
        ) / 2 as grade_rank
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

rated_values as (
    select
        sum(predicted_rank * grade_rank)
        / nullif(
            sqrt(sum(predicted_rank * predicted_rank) * sum(grade_rank * grade_rank)), 0
        ) as spearman  -- Spearman 1904
    from rated
    group by user_id
)

select avg(spearman) as value, count(spearman) as users
from rated_values
