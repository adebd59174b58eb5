-- NDCG at gains: the mean NDCG at the ranks of the user's items with a gain, from 0 to 1. An item
-- that is not in the list counts the NDCG of the whole list. ndcg_at_gains@10.
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

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items,
        nullif(sum(relevance * (1 / log(2, best_rank + 1))), 0) as ideal_dcg_relevant
    from relevant
    group by user_id
),

-- The ranks of each user's best list.
best_list_ranks as (
    select user_id, best_rank as rank,
        sum(relevance * (1 / log(2, best_rank + 1))) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_dcg
    from relevant
    where relevance > 0
),

-- The best list as a whole.
best_list_totals as (
    select user_id, cast(count(*) as double) as best_items, max(best_dcg) as best_dcg
    from best_list_ranks
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.relevance,
        sum(relevant.relevance * (1 / log(2, listed.rank + 1))) over (
            partition by listed.user_id order by listed.rank asc
            rows between unbounded preceding and current row
        ) as dcg_so_far,
        coalesce(best_list_ranks.best_dcg, best_list_totals.best_dcg) as best_dcg,
        best_list_totals.best_items
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join best_list_ranks
        on best_list_ranks.user_id = listed.user_id and best_list_ranks.rank = listed.rank
    left join best_list_totals on best_list_totals.user_id = listed.user_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.ideal_dcg_relevant,
        coalesce(matches.relevance, 0) as relevance, coalesce(matches.dcg_so_far, 0) as dcg_so_far,
        coalesce(1 / log(2, matches.rank + 1), 0) as discount,
        coalesce(matches.best_dcg, 0) as best_dcg, coalesce(matches.best_items, 0) as best_items
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
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
