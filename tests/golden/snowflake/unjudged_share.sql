-- Unjudged share: the share of the list that the truth does not judge, from 0 to 1.
-- unjudged_share@10.
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
        cast(case when relevance > 0 then 1 else 0 end as double) as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- How long each list is.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as places_10
    from listed
    group by user_id
),

-- The users of the truth, and how many relevant items each has.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select truth_users.user_id, coalesce(list_lengths.places_10, 0) as list_length,
        coalesce(item.is_judged, cast(0 as double)) as is_judged
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join (
        select listed.user_id,
            cast(
                case
                    when relevant.grade < 0 and relevant.is_relevant = 0 then 0
                    else 1
                end as double
            ) as is_judged
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

hits_values as (
    select user_id, list_length,
        (list_length - sum(is_judged)) / nullif(list_length, 0) as unjudged_share  -- trec_eval 10
    from hits
    group by user_id, list_length
)

select avg(unjudged_share) as value, count(unjudged_share) as users
from hits_values
