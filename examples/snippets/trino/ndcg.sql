-- NDCG: the DCG of a list divided by the DCG of the best list of the user's own items, from 0 to 1.
-- ndcg@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(relevance as double)
            else 0
        end as relevance,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant,
        row_number() over (
            partition by user_id order by cast(relevance as double) desc, item_id asc
        ) as best_rank
    from truth
),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items,
        nullif(
            sum(case when best_rank <= 10 then relevance * (1 / log2(best_rank + 1)) end), 0
        ) as ideal_dcg
    from relevant
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.relevance
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without a match has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.ideal_dcg, coalesce(matches.relevance, 0) as relevance,
        coalesce(1 / log2(matches.rank + 1), 0) as discount
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        -- Jarvelin & Kekalainen 2002
        least(sum(relevance * discount), ideal_dcg) / ideal_dcg as ndcg
    from hits
    group by user_id, ideal_dcg
)

select avg(ndcg) as value, count(ndcg) as users
from hits_values
