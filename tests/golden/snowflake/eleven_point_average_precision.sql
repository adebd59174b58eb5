-- Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1,
-- from 0 to 1. eleven_point_average_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items,
        coalesce(
            greatest(
                item.hit * item.hits_so_far / item.rank - coalesce(
                    max(item.hit * item.hits_so_far / item.rank) over (
                        partition by evaluated.user_id order by item.rank desc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                0
            ),
            0
        ) as precision_lead,
        coalesce(item.hits_so_far, 0) as hits_so_far
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        case
            when relevant_items > 0
                then least(
                    sum(
                        precision_lead * (
                            least(10, floor((10 * hits_so_far + 5) / nullif(relevant_items, 0)))
                            + case
                                when least(
                                    10, floor((10 * hits_so_far + 5) / nullif(relevant_items, 0))
                                ) / cast(10 as double) * relevant_items + cast('0.5' as double)
                                    < hits_so_far + 1
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
