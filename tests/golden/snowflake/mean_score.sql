-- Mean score: the mean of the scores within k, hit or miss, in the unit of the scores, unbounded.
-- mean_score@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, score,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id, cast(listed.score as double) as score
    from listed
    where listed.rank <= 10
),

recommended_items_values as (
    select
        avg(score) as mean_score  -- Zhu, Hu & Caverlee 2018
    from recommended_items
    group by user_id
)

select avg(mean_score) as value, count(mean_score) as users
from recommended_items_values
