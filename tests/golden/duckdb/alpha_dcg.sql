-- Alpha-DCG: the DCG of a list in which a hit gains less for each higher hit with the same aspect,
-- as a share of the gain of the best conceivable list, from 0 to 1. alpha_dcg@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, aspect). Each
-- row of truth is relevant.
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with totals over their items.
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
    where relevant.is_relevant > 0
    group by relevant.user_id
),

-- The gain of a list from an aspect if all its items are hits with it.
full_gains as (
    select sum(power(0.5e0, numbers.number - 1) / log2(numbers.number + 1)) as full_discount_0p5
    from (select number from range(1, 11) as counted (number)) as numbers
    where numbers.number <= 10
),

-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
hit_aspects as (
    select listed.user_id, listed.rank, 1 / log2(listed.rank + 1) as discount,
        row_number() over (
            partition by listed.user_id, item_aspects.aspect order by listed.rank asc
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where relevant.is_relevant > 0 and listed.rank <= 10
),

-- The hits of each user; a user without a hit has one row of zeros.
aspect_hits as (
    select truth_users.user_id, full_gains.full_discount_0p5, user_aspects.user_aspects,
        coalesce(hit_aspects.earlier_hits, 0) as earlier_hits,
        coalesce(hit_aspects.discount, 0) as discount
    from truth_users
    cross join full_gains
    left join user_aspects on user_aspects.user_id = truth_users.user_id
    left join hit_aspects on hit_aspects.user_id = truth_users.user_id and hit_aspects.rank <= 10
    where truth_users.relevant_items > 0
),

aspect_hits_values as (
    select
        least(
            sum(power(0.5e0, least(earlier_hits, 256)) * discount),
            (full_discount_0p5 * user_aspects)
        ) / (full_discount_0p5 * user_aspects) as alpha_dcg  -- Clarke et al. 2008
    from aspect_hits
    group by user_id, full_discount_0p5, user_aspects
)

select avg(alpha_dcg) as value, count(alpha_dcg) as users
from aspect_hits_values
