-- R2: the share of the variance of the grades that the scores predict, unbounded below, at most 1.
-- r2@10.
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

-- The rated items of all users together.
pooled as (
    select
        cast(listed.score as double) as predicted,
        relevant.grade, favg(relevant.grade) over () as mean_grade
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and listed.rank <= 10
),

pooled_values as (
    select
        case
            when min(grade) < max(grade)
                then 1
                - sum((predicted - grade) * (predicted - grade))
                / nullif(sum((mean_grade - grade) * (mean_grade - grade)), 0)
        end as r2  -- Draper & Smith 1998
    from pooled
)

select r2 as value, cast(null as bigint) as users
from pooled_values
