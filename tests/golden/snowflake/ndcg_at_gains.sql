-- NDCG at gains: the mean NDCG at the places of the user's items with a gain, from 0 to 1. An item
-- that is not in the list counts the NDCG of the whole list. ndcg_at_gains@10.
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
    select user_id, item_id, cast(relevance as double) as relevance,
        row_number() over (partition by user_id order by relevance desc, item_id asc) as best_rank
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (
    select user_id, sum(relevance * (1 / log(2, best_rank + 1))) as ideal_dcg_relevant
    from relevant
    group by user_id
),

-- The best list of each user's items, place by place.
best as (
    select user_id, best_rank as rank,
        sum(relevance * (1 / log(2, best_rank + 1))) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_dcg
    from relevant
),

-- The best list as a whole.
best_ends as (
    select user_id, cast(count(*) as double) as best_items, max(best_dcg) as best_dcg
    from best
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.ideal_dcg_relevant,
        coalesce(1 / log(2, item.rank + 1), 0) as discount,
        coalesce(item.relevance, 0) as relevance, coalesce(item.dcg_so_far, 0) as dcg_so_far,
        coalesce(item.best_dcg, 0) as best_dcg, coalesce(item.best_items, 0) as best_items
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.relevance,
            sum(relevant.relevance * (1 / log(2, listed.rank + 1))) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as dcg_so_far,
            coalesce(best.best_dcg, best_ends.best_dcg) as best_dcg,
            best_ends.best_items
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        left join best on best.user_id = listed.user_id and best.rank = listed.rank
        left join best_ends on best_ends.user_id = listed.user_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, ideal_dcg_relevant,
        case
            when ideal_dcg_relevant > 0
                then coalesce(
                    least(
                        sum(case when relevance > 0 then dcg_so_far / best_dcg else 0 end)
                        + (max(best_items) - count(case when relevance > 0 then 1 end))
                        * sum(relevance * discount) / ideal_dcg_relevant,
                        max(best_items)
                    ) / nullif(max(best_items), 0),
                    0
                )
        end as ndcg_at_gains  -- trec_eval 10
    from hits
    group by user_id, ideal_dcg_relevant
)

select avg(ndcg_at_gains) as value, count(ndcg_at_gains) as users
from hits_values
