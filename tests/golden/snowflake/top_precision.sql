-- Top precision: the share of the first k places that hold one of the user's best items, from 0 to
-- 1. The best items are those with the highest grade that the user has given, be it 5 or 2.
-- top_precision@10.
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
    select user_id, item_id, cast(1 as double) as is_relevant,
        cast(
            case
                when cast(relevance as double)
                    >= max(cast(relevance as double)) over (partition by user_id)
                    then 1
                else 0
            end as double
        ) as is_top
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items, coalesce(item.top_hit, 0) as top_hit
    from evaluated
    left join (
        select listed.user_id, relevant.is_relevant * relevant.is_top as top_hit
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        case when relevant_items > 0 then sum(top_hit) / 10 end as top_precision  -- RankEval 0.8.2
    from hits
    group by user_id, relevant_items
)

select avg(top_precision) as value, count(top_precision) as users
from hits_values
