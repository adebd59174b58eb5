-- Normalized gain: the gains of a list, each discounted by how far the list is behind the best list
-- at its rank, from 0 to 1. normalized_gain@10.
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

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items,
        nullif(sum(relevance * (1 / log2(best_rank + 1))), 0) as ideal_dcg_relevant
    from relevant
    group by user_id
),

-- The ranks of each user's best list.
best_list_ranks as (
    select user_id, best_rank as rank, relevance,
        sum(case when relevance > 1 then relevance else 1 end) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_gain
    from relevant
    where relevance > 0
),

-- The best list as a whole.
best_list_totals as (
    select user_id, cast(count(*) as double) as best_items, sum(relevance) as best_total,
        max(best_gain) as best_gain
    from best_list_ranks
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.relevance,
        sum(relevant.relevance) over (
            partition by listed.user_id order by listed.rank asc
            rows between unbounded preceding and current row
        ) as gain_so_far,
        coalesce(
            best_list_ranks.best_gain,
            best_list_totals.best_gain + listed.rank - best_list_totals.best_items
        ) as best_gain,
        best_list_totals.best_total
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
        coalesce(matches.relevance, 0) as relevance,
        coalesce(matches.gain_so_far, 0) as gain_so_far,
        coalesce(matches.best_gain, 0) as best_gain, coalesce(matches.best_total, 0) as best_total
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
                        sum(relevance / log2(2 + (best_gain - least(gain_so_far, best_gain)))),
                        max(best_total)
                    ) / nullif(max(best_total), 0),
                    0
                )
        end as normalized_gain  -- trec_eval 10
    from hits
    group by user_id, ideal_dcg_relevant
)

select avg(normalized_gain) as value, count(normalized_gain) as users
from hits_values
