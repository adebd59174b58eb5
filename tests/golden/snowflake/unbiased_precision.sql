-- Unbiased precision: the share of the first k items that the user would have clicked if the user
-- had seen them, at least 0. unbiased_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, propensity). All of truth is
-- relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
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
        coalesce(1 / nullif(relevant.propensity, 0), 0) as inverse_propensity
    from relevant
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select truth_users.user_id,
        cast(case when ranked_targets.rank <= 10 then 1 else 0 end as double) as found,
        ranked_targets.inverse_propensity
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

target_items_values as (
    select
        coalesce(
            sum(found * least(inverse_propensity, cast(10000 as double))), 0
        ) / 10 as unbiased_precision  -- Joachims et al. 2017
    from target_items
    group by user_id
)

select avg(unbiased_precision) as value, count(unbiased_precision) as users
from target_items_values
