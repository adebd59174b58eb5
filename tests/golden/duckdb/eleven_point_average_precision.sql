-- Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1,
-- from 0 to 1. eleven_point_average_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.is_relevant as hit,
        sum(relevant.is_relevant) over (
            partition by listed.user_id order by listed.rank asc
            rows between unbounded preceding and current row
        ) as hits_so_far
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items,
        coalesce(matches.hits_so_far, 0) as hits_so_far,
        coalesce(
            greatest(
                matches.hit * matches.hits_so_far / matches.rank - coalesce(
                    max(matches.hit * matches.hits_so_far / matches.rank) over (
                        partition by truth_users.user_id order by matches.rank desc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                0
            ),
            0
        ) as precision_lead
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        case
            when relevant_items > 0
                then least(
                    sum(
                        precision_lead * (
                            least(10, floor((10 * hits_so_far + 5) / nullif(relevant_items, 0)))
                            + case
                                when least(
                                    10, floor((10 * hits_so_far + 5) / nullif(relevant_items, 0))
                                ) / cast(10 as double) * relevant_items + 0.5e0 < hits_so_far + 1
                                    then 1
                                else 0
                            end
                        )
                    ),
                    11
                ) / 11
        end as eleven_point_average_precision  -- Manning et al. 2008
    from hits
    group by user_id, relevant_items
)

select avg(eleven_point_average_precision) as value, count(eleven_point_average_precision) as users
from hits_values
