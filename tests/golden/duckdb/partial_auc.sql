-- Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1.
-- partial_auc@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
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

counted_ranks as (select *, rank as counted_rank from listed),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, listed.counted_rank, relevant.is_relevant as hit,
        sum(relevant.is_relevant) over (
            partition by listed.user_id order by listed.rank asc
            rows between unbounded preceding and current row
        ) as hits_so_far
    from counted_ranks as listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without any has one row of zeros.
hits as (
    select truth_users.user_id, truth_users.relevant_items, coalesce(matches.hit, 0) as hit,
        coalesce(matches.counted_rank - matches.hits_so_far, 0) as misses_so_far
    from truth_users
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        sum(
            case when misses_so_far < 10 then hit * (10 - misses_so_far) else cast(0 as double) end
        ) / nullif(10 * relevant_items, 0) as partial_auc  -- Budhiraja et al. 2020
    from hits
    group by user_id, relevant_items
)

select avg(partial_auc) as value, count(partial_auc) as users
from hits_values
