-- NDCG at grades: the mean NDCG at the last places before the best list changes to a lower gain,
-- from 0 to 1. It is R-precision for graded relevance. ndcg_at_grades@10.
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

-- How long each list is.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as places_10
    from listed
    group by user_id
),

-- The users of the truth, and how many relevant items each has.
truth_users as (
    select user_id, count(*) as relevant_items, count(*) as gained,
        count(distinct relevance) as gain_levels,
        sum(relevance * (1 / log(2, best_rank + 1))) as ideal_dcg_relevant
    from relevant
    group by user_id
),

best_sums as (
    select user_id, best_rank as rank,
        max(best_rank) over (partition by user_id, relevance) as falls_after,
        sum(relevance * (1 / log(2, best_rank + 1))) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_dcg
    from relevant
),

best as (
    select user_id, rank,
        sum(case when rank = falls_after then 1 / best_dcg end) over (
            partition by user_id order by rank desc rows between unbounded preceding and current row
        ) as best_later
    from best_sums
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items, truth_users.gain_levels,
        case when list_lengths.places_10 >= truth_users.gained + 2 then 1 else 0 end as goes_past,
        truth_users.ideal_dcg_relevant, coalesce(1 / log(2, item.rank + 1), 0) as discount,
        coalesce(item.relevance, 0) as relevance, coalesce(item.best_later, 0) as best_later
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join (
        select listed.user_id, listed.rank, relevant.relevance, best.best_later
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        left join best on best.user_id = listed.user_id and best.rank = listed.rank
        where listed.rank <= 10
    ) as item on item.user_id = truth_users.user_id
),

hits_values as (
    select user_id, relevant_items, gain_levels, goes_past, ideal_dcg_relevant,
        case
            when ideal_dcg_relevant > 0 and relevant_items > 0
                then least(
                    sum(relevance * discount * (best_later + goes_past / ideal_dcg_relevant)),
                    (gain_levels + goes_past)
                ) / (gain_levels + goes_past)
        end as ndcg_at_grades  -- trec_eval 10
    from hits
    group by user_id, relevant_items, gain_levels, goes_past, ideal_dcg_relevant
)

select avg(ndcg_at_grades) as value, count(ndcg_at_grades) as users
from hits_values
