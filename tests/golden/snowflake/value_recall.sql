-- Value recall: the total price of the relevant items within k as a share of that of all the user's
-- relevant items, from 0 to 1. value_recall@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, price). All of
-- truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- Each item's price, if it is a number that can be summed.
item_prices as (
    select item_id, max(cast(price as double)) as price
    from items
    group by item_id
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items, and their places in the list.
wanted_items as (
    select relevant.user_id, listed.rank, item_prices.price
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id,
        cast(case when wanted_items.rank <= 10 then 1 else 0 end as double) as found,
        wanted_items.price
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        sum(found * price) / nullif(sum(price), 0) as value_recall  -- scikit-learn
    from targets
    group by user_id
)

select avg(value_recall) as value, count(value_recall) as users
from targets_values
