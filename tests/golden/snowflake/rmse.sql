-- RMSE: the root of the mean squared error of the scores as predictions of the grades, at least 0.
-- rmse@10.
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
    select listed.user_id, cast(listed.score as double) as predicted, relevant.grade
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

rated_values as (
    select
        sqrt(avg((predicted - grade) * (predicted - grade))) as rmse,  -- Herlocker et al. 2004
        cast(count(*) as double) as rmse_weight
    from rated
    group by user_id
)

select
    sqrt(sum(rmse * rmse * rmse_weight) / nullif(sum(rmse_weight), 0)) as value,
    count(rmse) as users
from rated_values
