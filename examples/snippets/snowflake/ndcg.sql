-- NDCG: the DCG of a list divided by that of the best list of the user's own items, from 0 to 1.
-- ndcg@10.
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
    select user_id,
        sum(case when best_rank <= 10 then relevance * (1 / log(2, best_rank + 1)) end) as ideal_dcg
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.ideal_dcg,
        coalesce(1 / log(2, item.rank + 1), 0) as discount, coalesce(item.relevance, 0) as relevance
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.relevance
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, ideal_dcg,
        -- Jarvelin & Kekalainen 2002
        least(sum(relevance * discount), ideal_dcg) / ideal_dcg as ndcg
    from hits
    group by user_id, ideal_dcg
)

select avg(ndcg) as value, count(ndcg) as users
from hits_values
