-- Page NDCG: the NDCG of a page of several rows, such as carousels, where both further down and
-- further to the right count less, from 0 to 1. page_ndcg@10.
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
        sum(
            case
                when best_rank <= 10
                    then relevance / log(
                        2,
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
        ) as ideal_page_3_5_linear
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.ideal_page_3_5_linear,
        coalesce(item.rank, 2147483647) as rank, coalesce(item.relevance, 0) as relevance
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.relevance
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, ideal_page_3_5_linear,
        -- Felicioni, Ferrari Dacrema, Perez Maurera & Cremonesi 2021
        least(
            coalesce(
                sum(
                    relevance / log(
                        2,
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
