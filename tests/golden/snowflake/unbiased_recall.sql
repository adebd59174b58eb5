-- Unbiased recall: the share of the user's clicks within k, each weighted by how unlikely the user
-- was to see the item, from 0 to 1. unbiased_recall@10.
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
    select user_id, item_id, cast(propensity as double) as propensity
    from truth
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items, and their places in the list.
wanted_items as (
    select relevant.user_id, listed.rank,
        coalesce(1 / nullif(relevant.propensity, 0), 0) as inverse_propensity
    from relevant
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id,
        cast(case when wanted_items.rank <= 10 then 1 else 0 end as double) as found,
        wanted_items.inverse_propensity
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        -- Yang et al. 2018
        sum(found * least(inverse_propensity, cast(10000 as double)))
        / nullif(sum(least(inverse_propensity, cast(10000 as double))), 0) as unbiased_recall
    from targets
    group by user_id
)

select avg(unbiased_recall) as value, count(unbiased_recall) as users
from targets_values
