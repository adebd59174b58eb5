-- Recall: the share of the user's relevant items that are within k, from 0 to 1. recall@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). Each row of truth is relevant.
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as float64) as is_relevant from truth),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.is_relevant as hit
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without a match has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items, coalesce(matches.hit, 0) as hit
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        sum(hit) / nullif(relevant_items, 0) as recall  -- van Rijsbergen 1979
    from hits
    group by user_id, relevant_items
)

select avg(recall) as value, count(recall) as users
from hits_values
