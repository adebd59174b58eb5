-- Recall: the share of the user's relevant items that are within k, from 0 to 1. recall@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as float8) as is_relevant from truth),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items, coalesce(item.hit, 0) as hit
    from evaluated
    left join (
        select listed.user_id, relevant.is_relevant as hit
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        sum(hit) / nullif(relevant_items, 0) as recall  -- van Rijsbergen 1979
    from hits
    group by user_id, relevant_items
)

select avg(recall) as value, count(recall) as users
from hits_values
