-- Compatibility: the rank-biased overlap of a list with the best list of the user's items, divided
-- by the overlap of the best list with itself, from 0 to 1. compatibility@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(relevance as double)
            else 0
        end as relevance,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The population, with the list length and the totals of each user.
evaluated_users as (
    select truth_users.user_id
    from truth_users
    where truth_users.relevant_items > 0
),

own_ranks as (select user_id, item_id, rank, rank as closed_rank from listed),

-- Each item of a user's best list, with its ranks in the best list and in the user's list.
best_lists as (
    select evaluated_users.user_id, own_ranks.closed_rank as own_rank,
        row_number() over (
            partition by evaluated_users.user_id
            order by relevant.relevance desc, coalesce(
                own_ranks.closed_rank, 2147483647
            ) asc, relevant.item_id asc
        ) as best_rank
    from evaluated_users
    join relevant on relevant.user_id = evaluated_users.user_id
    left join own_ranks
        on own_ranks.user_id = evaluated_users.user_id and own_ranks.item_id = relevant.item_id
        and own_ranks.rank <= 10
    where relevant.relevance > 0
),

-- The ranks of both lists, and the depths from which an item is in both.
overlap_ranks as (
    select evaluated_users.user_id, own_ranks.closed_rank as depth, 0 as best, 0 as met
    from evaluated_users
    join own_ranks on own_ranks.user_id = evaluated_users.user_id and own_ranks.rank <= 10
    union all
    select user_id, best_rank as depth, 1 as best, 0 as met
    from best_lists
    where best_rank <= 10
    union all
    select user_id, greatest(own_rank, best_rank) as depth, 0 as best, 1 as met
    from best_lists
    where own_rank is not null and best_rank <= 10
),

-- The overlap of each list with the best list, down to each depth.
ideal_overlap as (
    select evaluated_users.user_id,
        power(0.95e0, least(cast(overlap_ranks.depth as double), 4096))
        / cast(overlap_ranks.depth as double) as weight_0p95,
        sum(cast(sum(overlap_ranks.met) as double)) over (
            partition by evaluated_users.user_id order by overlap_ranks.depth asc
            rows between unbounded preceding and current row
        ) as overlap,
        sum(cast(sum(overlap_ranks.best) as double)) over (
            partition by evaluated_users.user_id order by overlap_ranks.depth asc
            rows between unbounded preceding and current row
        ) as best_overlap
    from evaluated_users
    left join overlap_ranks on overlap_ranks.user_id = evaluated_users.user_id
    group by evaluated_users.user_id, overlap_ranks.depth
),

ideal_overlap_values as (
    select
        -- Clarke, Vtyurina & Smucker 2021
        sum(overlap * weight_0p95) / nullif(sum(best_overlap * weight_0p95), 0) as compatibility
    from ideal_overlap
    group by user_id
)

select avg(compatibility) as value, count(compatibility) as users
from ideal_overlap_values
