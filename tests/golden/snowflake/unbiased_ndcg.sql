-- Unbiased NDCG: the NDCG of a list against clicks, each weighted by how unlikely the user was to
-- see the item, from 0 to 1. unbiased_ndcg@10.
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
        coalesce(1 / nullif(relevant.propensity, 0), 0) as inverse_propensity,
        row_number() over (
            partition by relevant.user_id
            order by coalesce(1 / nullif(relevant.propensity, 0), 0) desc, relevant.item_id asc
        ) as click_rank
    from relevant
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id,
        case
            when wanted_items.rank <= 10 then 1 / log(2, wanted_items.rank + 1)
            else cast(0 as double)
        end as discount,
        wanted_items.inverse_propensity,
        case
            when wanted_items.click_rank <= 10 then 1 / log(2, wanted_items.click_rank + 1)
            else cast(0 as double)
        end as best_click_discount
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        least(
            sum(least(inverse_propensity, cast(10000 as double)) * discount),
            sum(least(inverse_propensity, cast(10000 as double)) * best_click_discount)
        )
        / nullif(
            sum(least(inverse_propensity, cast(10000 as double)) * best_click_discount), 0
        ) as unbiased_ndcg  -- Joachims et al. 2017
    from targets
    group by user_id
)

select avg(unbiased_ndcg) as value, count(unbiased_ndcg) as users
from targets_values
