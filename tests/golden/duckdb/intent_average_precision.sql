-- Intent-aware average precision: the average precision for each aspect of a user's relevant items,
-- averaged over these aspects, from 0 to 1. Its mean over users is known as MAP-IA.
-- intent_average_precision@10.
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

-- The aspects of each user's relevant items.
relevant_aspects as (
    select relevant.user_id, item_aspects.aspect
    from relevant
    join item_aspects on item_aspects.item_id = relevant.item_id
),

-- The number of each user's relevant items with each aspect.
user_aspect_items as (
    select user_id, aspect, cast(count(*) as double) as aspect_items
    from relevant_aspects
    group by user_id, aspect
),

-- The number of aspects of each user's relevant items.
user_aspects as (
    select user_id, cast(count(distinct aspect) as double) as user_aspects
    from relevant_aspects
    group by user_id
),

-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
hit_aspects as (
    select listed.user_id, listed.rank, item_aspects.aspect, 1 / log2(listed.rank + 1) as discount,
        row_number() over (
            partition by listed.user_id, item_aspects.aspect order by listed.rank asc
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where listed.rank <= 10
),

-- The hits of each user; a user without a hit has one row of zeros.
aspect_hits as (
    select truth_users.user_id, user_aspects.user_aspects,
        coalesce(user_aspect_items.aspect_items, 1) as aspect_items,
        coalesce(hit_aspects.earlier_hits, 0) as earlier_hits,
        case
            when hit_aspects.discount > 0 then cast(1 as double) / hit_aspects.rank
            else cast(0 as double)
        end as reciprocal
    from truth_users
    left join user_aspects on user_aspects.user_id = truth_users.user_id
    left join hit_aspects on hit_aspects.user_id = truth_users.user_id
    left join user_aspect_items
        on user_aspect_items.user_id = truth_users.user_id
        and user_aspect_items.aspect = hit_aspects.aspect
    where truth_users.relevant_items > 0
),

aspect_hits_values as (
    select
        least(
            sum((earlier_hits + 1) * reciprocal / aspect_items), user_aspects
        ) / user_aspects as intent_average_precision  -- Agrawal et al. 2009
    from aspect_hits
    group by user_id, user_aspects
)

select avg(intent_average_precision) as value, count(intent_average_precision) as users
from aspect_hits_values
