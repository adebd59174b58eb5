-- NERR: the ERR of a list divided by that of the best list of the user's own items, from 0 to 1.
-- nerr@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items, numbered as the best list shows them.
relevant as (
    select user_id, item_id,
        row_number() over (partition by user_id order by relevance desc, item_id asc) as best_rank,
        (power(2, least(cast(relevance as double), 4)) - 1) / 16 as enough_4,
        ((power(2, least(cast(relevance as double), 4)) - 1) / 16)
        * exp(
            greatest(
                coalesce(
                    sum(
                        ln(
                            1 - ((power(2, least(cast(relevance as double), 4)) - 1) / 16)
                            + cast('1e-300' as double)
                        )
                    ) over (
                        partition by user_id order by relevance desc, item_id asc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                -170
            )
        ) as best_stop_4
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (
    select user_id, sum(case when best_rank <= 10 then best_stop_4 / best_rank end) as ideal_err_4
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.ideal_err_4, coalesce(item.rank, 2147483647) as rank,
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
    select user_id, ideal_err_4,
        least(sum(stop_4 / rank), ideal_err_4) / ideal_err_4 as nerr  -- Clarke et al. 2011
    from hits
    group by user_id, ideal_err_4
)

select avg(nerr) as value, count(nerr) as users
from hits_values
