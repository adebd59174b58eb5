-- User coverage: the share of the users who have a list, from 0 to 1. user_coverage@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

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
    select truth_users.user_id, coalesce(list_lengths.places_10, 0) as list_length
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
),

hits_values as (
    select user_id, list_length,
        -- Ge et al. 2010
        cast(case when list_length > 0 then 1 else 0 end as double) as user_coverage
    from hits
    group by user_id, list_length
)

select avg(user_coverage) as value, count(user_coverage) as users
from hits_values
