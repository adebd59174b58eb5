-- Normalized gain: the gains of a list, each discounted by how far the list is behind the best list
-- at its place, from 0 to 1. normalized_gain@10.
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
    select user_id, best_rank as rank, relevance,
        sum(case when relevance > 1 then relevance else 1 end) over (
            partition by user_id order by best_rank asc
            rows between unbounded preceding and current row
        ) as best_gain
    from relevant
),

-- The best list as a whole.
best_ends as (
    select user_id, cast(count(*) as double) as best_items, sum(relevance) as best_total,
        max(best_gain) as best_gain
    from best
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.ideal_dcg_relevant,
        coalesce(item.relevance, 0) as relevance, coalesce(item.gain_so_far, 0) as gain_so_far,
        coalesce(item.best_gain, 0) as best_gain, coalesce(item.best_total, 0) as best_total
    from evaluated
    left join (
        select listed.user_id, relevant.relevance,
            sum(relevant.relevance) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as gain_so_far,
            coalesce(
                best.best_gain, best_ends.best_gain + listed.rank - best_ends.best_items
            ) as best_gain,
            best_ends.best_total
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
                        sum(relevance / log(2, 2 + (best_gain - least(gain_so_far, best_gain)))),
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
