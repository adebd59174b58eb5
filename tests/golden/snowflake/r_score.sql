-- R-Score: the utility of the lists for users who look at lower ranks less and less often, divided
-- by the utility of their best lists, from 0 to 1. r_score@10.
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
        nullif(
            sum(
                case
                    when best_rank <= 10
                        then case
                            when relevance > 0 and (best_rank - 1) / cast('4.0' as double) < 800
                                then relevance * power(2, (1 - best_rank) / cast('4.0' as double))
                            else 0
                        end
                end
            ),
            0
        ) as ideal_utility_5_0
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

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.ideal_utility_5_0,
        coalesce(matches.rank, 2147483647) as rank, coalesce(matches.relevance, 0) as relevance
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        least(
            sum(
                case
                    when relevance > 0 and (rank - 1) / cast('4.0' as double) < 800
                        then relevance * power(2, (1 - rank) / cast('4.0' as double))
                    else 0
                end
            ),
            ideal_utility_5_0
        ) / ideal_utility_5_0 as r_score,  -- Breese et al. 1998
        ideal_utility_5_0 as r_score_weight
    from hits
    group by user_id, ideal_utility_5_0
)

select
    sum(r_score * r_score_weight)
    / nullif(sum(case when r_score is not null then r_score_weight end), 0) as value,
    count(r_score) as users
from hits_values
