-- Inferred average precision: average precision if only a sample of the pool was judged, from 0 to
-- 1. inferred_average_precision@10.
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
        cast(case when cast(relevance as double) >= 0 then 1 else 0 end as double) as is_judged
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
    select listed.user_id, listed.rank, relevant.is_relevant as hit,
        sum(relevant.is_relevant) over (
            partition by listed.user_id order by listed.rank asc
            rows between unbounded preceding and current row
        ) as hits_so_far,
        sum(relevant.is_judged) over (
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
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items,
        coalesce(matches.rank, 2147483647) as rank, coalesce(matches.hit, 0) as hit,
        coalesce(matches.hits_so_far, 0) as hits_so_far,
        coalesce(matches.judged_so_far, cast(0 as double)) as judged_so_far,
        coalesce(matches.named_so_far, cast(0 as double)) as named_so_far
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        sum(
            case
                when hit > 0
                    then (
                        1
                        + (named_so_far - 1) * (hits_so_far - 1 + 1e-05)
                        / (judged_so_far - 1 + 2 * 1e-05)
                    ) / rank
                else cast(0 as double)
            end
        ) / nullif(relevant_items, 0) as inferred_average_precision  -- Yilmaz & Aslam 2006
    from hits
    group by user_id, relevant_items
)

select avg(inferred_average_precision) as value, count(inferred_average_precision) as users
from hits_values
