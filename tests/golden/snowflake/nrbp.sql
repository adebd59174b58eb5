-- NRBP: novelty- and rank-biased precision: the RBP of a list whose hits gain less for each hit
-- above that has the same aspect, from 0 to 1. nrbp@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, aspect). All
-- of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each item's aspects.
item_aspects as (select distinct item_id, aspect from items where aspect is not null),

-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
aspect_hits as (
    select listed.user_id, listed.rank, 1 / log(2, listed.rank + 1) as discount,
        row_number() over (
            partition by listed.user_id, item_aspects.aspect order by listed.rank asc
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where listed.rank <= 10
),

-- How many aspects each user's relevant items have.
user_aspects as (
    select relevant.user_id, cast(count(distinct item_aspects.aspect) as double) as user_aspects
    from relevant
    join item_aspects on item_aspects.item_id = relevant.item_id
    group by relevant.user_id
),

-- The hits of each user; a user with none has one row of zeros.
aspected as (
    select evaluated.user_id,
        coalesce(aspect_hits.earlier_hits, 0) as earlier_hits,
        case when aspect_hits.discount > 0 then 1 else 0 end as hit_with_aspect,
        user_aspects.user_aspects, coalesce(aspect_hits.rank, 0) as rank
    from evaluated
    left join user_aspects on user_aspects.user_id = evaluated.user_id
    left join aspect_hits on aspect_hits.user_id = evaluated.user_id
),

aspected_values as (
    select user_id, user_aspects,
        least(
            (1 - cast('0.25' as double)) * sum(
                hit_with_aspect * power(cast('0.5' as double), least(earlier_hits, 256))
                * power(cast('0.5' as double), least(rank - 1, 256))
            ),
            user_aspects
        ) / user_aspects as nrbp  -- Clarke, Kolla & Vechtomova 2009
    from aspected
    group by user_id, user_aspects
)

select avg(nrbp) as value, count(nrbp) as users
from aspected_values
