-- ERR: the expected reciprocal of the rank at which a user who reads from the top is satisfied and
-- stops, from 0 to 1. err@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant,
        (
            power(
                2,
                least(
                    case
                        when cast(relevance as double) > 0 then cast(relevance as double)
                        else 0
                    end,
                    4
                )
            ) - 1
        ) / 16 as enough_4
    from truth
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank,
        relevant.enough_4 * exp(
            greatest(
                coalesce(
                    sum(ln(1 - relevant.enough_4 + 1e-300)) over (
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
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, coalesce(matches.rank, 2147483647) as rank,
        coalesce(matches.stop_4, 0) as stop_4
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        sum(stop_4 / rank) as err  -- Chapelle et al. 2009
    from hits
    group by user_id
)

select avg(err) as value, count(err) as users
from hits_values
