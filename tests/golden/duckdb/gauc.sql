-- GAUC: the share of a user's pairs of a relevant and an irrelevant item in which the relevant item
-- has the higher score, from 0 to 1. gauc@10.
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

-- Each rated item within the cutoff.
rated as (
    select listed.user_id, relevant.is_relevant as relevant,
        sum(1 - relevant.is_relevant) over (
            partition by listed.user_id order by listed.score asc, relevant.is_relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant.is_relevant) over (
            partition by listed.user_id, listed.score
        ) as tied_negatives
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

rated_values as (
    select
        sum(relevant * (negatives_so_far - tied_negatives / 2))
        / nullif(sum(relevant) * sum(1 - relevant), 0) as gauc  -- Zhu et al. 2017
    from rated
    group by user_id
)

select avg(gauc) as value, count(gauc) as users
from rated_values
