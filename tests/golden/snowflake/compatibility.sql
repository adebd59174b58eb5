-- Compatibility: the rank-biased overlap of a list with the best list of the user's items, divided
-- by that of the best list with itself, from 0 to 1. compatibility@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(relevance as double) as relevance
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- The best list of each user, beside the user's own.
best_lists as (
    select evaluated.user_id, listed.rank as own_place,
        row_number() over (
            partition by evaluated.user_id
            order by relevant.relevance desc, coalesce(
                listed.rank, 2147483647
            ) asc, relevant.item_id asc
        ) as best_place
    from evaluated
    join relevant on relevant.user_id = evaluated.user_id
    left join listed
        on listed.user_id = evaluated.user_id and listed.item_id = relevant.item_id
        and listed.rank <= 10
),

-- The places of both lists, and the depths from which an item is in both.
places_aligned as (
    select evaluated.user_id, listed.rank as depth, 0 as best, 0 as met
    from evaluated
    join listed on listed.user_id = evaluated.user_id and listed.rank <= 10
    union all
    select user_id, best_place as depth, 1 as best, 0 as met
    from best_lists
    where best_place <= 10
    union all
    select user_id, greatest(own_place, best_place) as depth, 0 as best, 1 as met
    from best_lists
    where own_place is not null and best_place <= 10
),

-- What each list has in common with the best one, down to each depth.
aligned as (
    select evaluated.user_id, places_aligned.depth as depth,
        sum(cast(sum(places_aligned.met) as double)) over (
            partition by evaluated.user_id order by places_aligned.depth asc
            rows between unbounded preceding and current row
        ) as overlap,
        sum(cast(sum(places_aligned.best) as double)) over (
            partition by evaluated.user_id order by places_aligned.depth asc
            rows between unbounded preceding and current row
        ) as best_overlap,
        power(cast('0.95' as double), least(cast(places_aligned.depth as double), 4096))
        / cast(places_aligned.depth as double) as weight_0p95
    from evaluated
    left join places_aligned on places_aligned.user_id = evaluated.user_id
    group by evaluated.user_id, places_aligned.depth
),

aligned_values as (
    select user_id,
        -- Clarke, Vtyurina & Smucker 2021
        sum(overlap * weight_0p95) / nullif(sum(best_overlap * weight_0p95), 0) as compatibility
    from aligned
    group by user_id
)

select avg(compatibility) as value, count(compatibility) as users
from aligned_values
