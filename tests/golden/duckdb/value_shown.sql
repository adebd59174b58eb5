-- Value shown: the mean price of the items within k, or their total price, at least 0.
-- value_shown@10.
-- Reads recs (user_id, item_id, score) and items (item_id, price).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each item's price, if it can be summed.
item_prices as (
    select item_id, max(cast(price as double)) as price
    from items
    group by item_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        item_prices.price
    from listed
    left join item_prices on item_prices.item_id = listed.item_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(price) / list_length as value_shown  -- Jannach & Jugovac 2019
    from recommended_items
    group by user_id, list_length
)

select avg(value_shown) as value, count(value_shown) as users
from recommended_items_values
