-- Intent-aware precision: the precision at k for each aspect of a user's relevant items, averaged
-- over these aspects, from 0 to 1. intent_precision@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, aspect). All
-- of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each item's aspects.
item_aspects as (select distinct item_id, aspect from items where aspect is not null),

-- The number of aspects of each user's relevant items.
user_aspects as (
    select relevant.user_id, cast(count(distinct item_aspects.aspect) as double) as user_aspects
    from relevant
    join item_aspects on item_aspects.item_id = relevant.item_id
    group by relevant.user_id
),

-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
hit_aspects as (
    select listed.user_id, 1 / log2(listed.rank + 1) as discount
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where listed.rank <= 10
),

-- The hits of each user; a user without a hit has one row of zeros.
aspect_hits as (
    select truth_users.user_id, user_aspects.user_aspects,
        case when hit_aspects.discount > 0 then 1 else 0 end as hit_with_aspect
    from truth_users
    left join user_aspects on user_aspects.user_id = truth_users.user_id
    left join hit_aspects on hit_aspects.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

aspect_hits_values as (
    select
        sum(hit_with_aspect) / (10 * user_aspects) as intent_precision  -- Agrawal et al. 2009
    from aspect_hits
    group by user_id, user_aspects
)

select avg(intent_precision) as value, count(intent_precision) as users
from aspect_hits_values
