-- Unbiased precision: how many of the first k items the user would have clicked if the user had
-- seen them, as a share of k, from 0 up. unbiased_precision@10.
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
        coalesce(
            sum(found * least(inverse_propensity, cast(10000 as double))), 0
        ) / 10 as unbiased_precision  -- Joachims et al. 2017
    from targets
    group by user_id
)

select avg(unbiased_precision) as value, count(unbiased_precision) as users
from targets_values
