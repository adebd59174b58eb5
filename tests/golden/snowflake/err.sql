-- ERR: the expected reciprocal rank of the place where a user who reads from the top is satisfied
-- and stops, from 0 to 1. err@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, (power(2, least(cast(relevance as double), 4)) - 1) / 16 as enough_4
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, coalesce(item.rank, 2147483647) as rank,
        coalesce(item.stop_4, 0) as stop_4
    from evaluated
    left join (
        select listed.user_id, listed.rank,
            relevant.enough_4 * exp(
                greatest(
                    coalesce(
                        sum(ln(1 - relevant.enough_4 + cast('1e-300' as double))) over (
                            partition by listed.user_id order by listed.rank asc
                            rows between unbounded preceding and 1 preceding
                        ),
                        0
                    ),
                    -170
                )
            ) as stop_4
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, sum(stop_4 / rank) as err  -- Chapelle et al. 2009
    from hits
    group by user_id
)

select avg(err) as value, count(err) as users
from hits_values
