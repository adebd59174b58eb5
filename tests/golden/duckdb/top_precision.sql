-- Top precision: the share of the first k ranks that have one of the user's best items, from 0 to
-- 1. The best items are the items with the highest grade in the user's truth, whether it is 5 or 2.
-- top_precision@10.
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
        cast(
            case
                when cast(relevance as double)
                    >= max(cast(relevance as double)) over (partition by user_id)
                    then 1
                else 0
            end as double
        ) as is_top
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
    select listed.user_id, listed.rank, relevant.is_relevant * relevant.is_top as top_hit
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items, coalesce(matches.top_hit, 0) as top_hit
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        case when relevant_items > 0 then sum(top_hit) / 10 end as top_precision  -- RankEval 0.8.2
    from hits
    group by user_id, relevant_items
)

select avg(top_precision) as value, count(top_precision) as users
from hits_values
