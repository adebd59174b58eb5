-- Partial AP: the AUC of the first n hits and the first n misses of the list, known as pAp, from 0
-- to 1. partial_ap@10.
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

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items,
        coalesce(item.rank - item.hits_so_far, 0) as misses_so_far,
        coalesce(item.hit, 0) as hit, coalesce(item.hits_so_far, 0) as hits_so_far
    from evaluated
    left join (
        select listed.user_id, listed.rank, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items,
        sum(
            case
                when misses_so_far < 10 and hits_so_far <= 10 then hit * (10 - misses_so_far)
                else cast(0 as double)
            end
        ) / nullif(10 * least(10, relevant_items), 0) as partial_ap  -- Budhiraja et al. 2020
    from hits
    group by user_id, relevant_items
)

select avg(partial_ap) as value, count(partial_ap) as users
from hits_values
