-- Page NDCG: the NDCG of a page of several rows, such as carousels, in which items further down and
-- items further to the right count less, from 0 to 1. page_ndcg@10.
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
        nullif(
            sum(
                case
                    when best_rank <= 10
                        then relevance / log2(
                            case
                                when best_rank <= 1 then 2
                                when best_rank <= 3 then 3
                                when best_rank <= 6 then 4
                                when best_rank <= 9 then 5
                                when best_rank <= 12 then 6
                                when best_rank <= 14 then 7
                                when best_rank <= 15 then 8
                            end
                        )
                end
            ),
            0
        ) as ideal_page_3_5_linear
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
    select truth_users.user_id, truth_users.ideal_page_3_5_linear,
        coalesce(matches.rank, 2147483647) as rank, coalesce(matches.relevance, 0) as relevance
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        -- Felicioni, Ferrari Dacrema, Perez Maurera & Cremonesi 2021
        least(
            coalesce(
                sum(
                    relevance / log2(
                        case
                            when rank <= 1 then 2
                            when rank <= 3 then 3
                            when rank <= 6 then 4
                            when rank <= 9 then 5
                            when rank <= 12 then 6
                            when rank <= 14 then 7
                            when rank <= 15 then 8
                        end
                    )
                ),
                0
            ),
            ideal_page_3_5_linear
        ) / ideal_page_3_5_linear as page_ndcg
    from hits
    group by user_id, ideal_page_3_5_linear
)

select avg(page_ndcg) as value, count(page_ndcg) as users
from hits_values
