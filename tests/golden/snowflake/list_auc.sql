-- List AUC: the share of pairs of a hit and a miss within the first k places in which the hit is
-- above, from 0 to 1. list_auc@10.
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

-- How long each list is.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as places_10
    from listed
    group by user_id
),

-- The users of the truth.
truth_users as (select distinct user_id from relevant),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select truth_users.user_id, coalesce(list_lengths.places_10, 0) as list_length,
        coalesce(item.rank - item.hits_so_far, 0) as misses_so_far,
        coalesce(item.hit, 0) as hit
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join (
        select listed.user_id, listed.rank, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = truth_users.user_id
),

hits_values as (
    select user_id, list_length,
        -- RePlay 0.22
        1 - sum(hit * misses_so_far) / nullif(sum(hit) * (list_length - sum(hit)), 0) as list_auc
    from hits
    group by user_id, list_length
)

select avg(list_auc) as value, count(list_auc) as users
from hits_values
