-- Value NDCG: the NDCG of a list with the prices of relevant items as gains, from 0 to 1.
-- value_ndcg@10.
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
    select relevant.user_id, listed.rank, item_prices.price,
        row_number() over (
            partition by relevant.user_id order by item_prices.price desc, relevant.item_id asc
        ) as price_rank
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
targets as (
    select evaluated.user_id, wanted_items.price,
        case
            when wanted_items.rank <= 10 then 1 / log(2, wanted_items.rank + 1)
            else cast(0 as double)
        end as discount,
        case
            when wanted_items.price_rank <= 10 then 1 / log(2, wanted_items.price_rank + 1)
            else cast(0 as double)
        end as best_discount
    from evaluated
    left join wanted_items on wanted_items.user_id = evaluated.user_id
),

targets_values as (
    select user_id,
        least(sum(price * discount), sum(price * best_discount))
        / nullif(sum(price * best_discount), 0) as value_ndcg  -- Jarvelin & Kekalainen 2002
    from targets
    group by user_id
)

select avg(value_ndcg) as value, count(value_ndcg) as users
from targets_values
