-- Unbiased NDCG: the NDCG of a list with clicks as relevant items, each weighted by how unlikely
-- the user was to see the item, from 0 to 1. unbiased_ndcg@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, propensity). All of truth is
-- relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(propensity as double) as propensity,
        cast(1 as double) as is_relevant
    from truth
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each user's relevant items, and their ranks in the list.
ranked_targets as (
    select relevant.user_id, listed.rank,
        coalesce(1 / nullif(relevant.propensity, 0), 0) as inverse_propensity,
        row_number() over (
            partition by relevant.user_id
            order by coalesce(1 / nullif(relevant.propensity, 0), 0) desc, relevant.item_id asc
        ) as click_rank
    from relevant
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select truth_users.user_id,
        case
            when ranked_targets.rank <= 10 then 1 / log2(ranked_targets.rank + 1)
            else cast(0 as double)
        end as discount,
        ranked_targets.inverse_propensity,
        case
            when ranked_targets.click_rank <= 10 then 1 / log2(ranked_targets.click_rank + 1)
            else cast(0 as double)
        end as best_click_discount
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

target_items_values as (
    select
        least(
            sum(least(inverse_propensity, cast(10000 as double)) * discount),
            sum(least(inverse_propensity, cast(10000 as double)) * best_click_discount)
        )
        / nullif(
            sum(least(inverse_propensity, cast(10000 as double)) * best_click_discount), 0
        ) as unbiased_ndcg  -- Joachims et al. 2017
    from target_items
    group by user_id
)

select avg(unbiased_ndcg) as value, count(unbiased_ndcg) as users
from target_items_values
