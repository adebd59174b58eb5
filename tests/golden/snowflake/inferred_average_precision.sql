-- Inferred average precision: average precision where only a sample of the pool was judged, from 0
-- to 1. inferred_average_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when relevance > 0 then 1 else 0 end as double) as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- The population: users with relevant items.
evaluated as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
    having sum(is_relevant) > 0
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items, coalesce(item.rank, 2147483647) as rank,
        coalesce(item.hit, 0) as hit, coalesce(item.hits_so_far, 0) as hits_so_far,
        coalesce(item.judged_so_far, cast(0 as double)) as judged_so_far,
        coalesce(item.named_so_far, cast(0 as double)) as named_so_far
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far,
            sum(
                cast(
                    case
                        when relevant.grade < 0 and relevant.is_relevant = 0 then 0
                        else 1
                    end as double
                )
            ) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as judged_so_far,
            sum(cast(1 as double)) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as named_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        sum(
            case
                when hit > 0
                    then (
                        1
                        + (named_so_far - 1) * (hits_so_far - 1 + cast('1e-05' as double))
                        / (judged_so_far - 1 + 2 * cast('1e-05' as double))
                    ) / rank
                else cast(0 as double)
            end
        ) / nullif(relevant_items, 0) as inferred_average_precision  -- Yilmaz & Aslam 2006
    from hits
    group by user_id, relevant_items
)

select avg(inferred_average_precision) as value, count(inferred_average_precision) as users
from hits_values
