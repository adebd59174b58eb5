-- Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users
-- is known as MAR. average_recall@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items, coalesce(item.hit, 0) as hit,
        coalesce(item.hits_so_far, 0) as hits_so_far
    from evaluated
    left join (
        select listed.user_id, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        coalesce(sum(hit * hits_so_far) / nullif(sum(hit), 0), 0)
        / nullif(relevant_items, 0) as average_recall  -- rs_metrics 0.4
    from hits
    group by user_id, relevant_items
)

select avg(average_recall) as value, count(average_recall) as users
from hits_values
