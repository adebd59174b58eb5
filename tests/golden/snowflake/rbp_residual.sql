-- RBP residual: how much higher RBP would be if all places that were not judged were relevant, from
-- 0 to 1. rbp_residual@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, coalesce(item.rank, 2147483647) as rank,
        coalesce(item.is_judged, cast(0 as double)) as is_judged
    from evaluated
    left join (
        select listed.user_id, listed.rank, cast(1 as double) as is_judged
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id,
        1 - least(
            (1 - cast('0.8' as double))
            * sum(is_judged * power(cast('0.8' as double), least(rank - 1, 1024))),
            1
        ) as rbp_residual  -- Moffat & Zobel 2008
    from hits
    group by user_id
)

select avg(rbp_residual) as value, count(rbp_residual) as users
from hits_values
