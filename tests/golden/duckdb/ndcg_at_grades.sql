-- NDCG at grades: the mean NDCG at the last ranks before the best list changes to a lower gain,
-- from 0 to 1. It is R-precision for graded relevance. ndcg_at_grades@10.
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

-- The length of each list.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as ranks_10
    from listed
    group by user_id
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items,
        count(case when relevance > 0 then 1 end) as items_with_gain,
        count(distinct case when relevance > 0 then relevance end) as distinct_gains,
        nullif(sum(relevance * (1 / log2(best_rank + 1))), 0) as ideal_dcg_relevant
    from relevant
    group by user_id
),

-- The ranks of each user's best list, from the top.
best_gains as (
    select user_id, best_rank as rank,
        max(best_rank) over (partition by user_id, relevance) as falls_after,
        sum(relevance * (1 / log2(best_rank + 1))) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_dcg
    from relevant
    where relevance > 0
),

-- The ranks of each user's best list.
best_list_ranks as (
    select user_id, rank,
        sum(case when rank = falls_after then 1 / best_dcg end) over (
            partition by user_id order by rank desc rows between unbounded preceding and current row
        ) as best_later
    from best_gains
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.relevance, best_list_ranks.best_later
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join best_list_ranks
        on best_list_ranks.user_id = listed.user_id and best_list_ranks.rank = listed.rank
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items, truth_users.distinct_gains,
        case
            when list_lengths.ranks_10 >= truth_users.items_with_gain + 2 then 1
            else 0
        end as exceeds_best_list,
        truth_users.ideal_dcg_relevant, coalesce(matches.relevance, 0) as relevance,
        coalesce(1 / log2(matches.rank + 1), 0) as discount,
        coalesce(matches.best_later, 0) as best_later
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        case
            when ideal_dcg_relevant > 0 and relevant_items > 0
                then least(
                    sum(
                        relevance * discount * (best_later + exceeds_best_list / ideal_dcg_relevant)
                    ),
                    (distinct_gains + exceeds_best_list)
                ) / (distinct_gains + exceeds_best_list)
        end as ndcg_at_grades  -- trec_eval 10
    from hits
    group by user_id, relevant_items, distinct_gains, exceeds_best_list, ideal_dcg_relevant
)

select avg(ndcg_at_grades) as value, count(ndcg_at_grades) as users
from hits_values
