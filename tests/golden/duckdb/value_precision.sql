-- Value precision: the total price of the relevant items within k as a share of the total price of
-- all items within k, from 0 to 1. value_precision@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, price). All of
-- truth is relevant.
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

-- Each item's price, if it can be summed.
item_prices as (
    select item_id, max(cast(price as double)) as price
    from items
    group by item_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        item_prices.price, coalesce(relevant.is_relevant, 0) as hit
    from listed
    left join item_prices on item_prices.item_id = listed.item_id
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        case
            when relevant_items > 0 then sum(hit * price) / nullif(sum(price), 0)
        end as value_precision  -- scikit-learn
    from recommended_items
    group by user_id, relevant_items
)

select avg(value_precision) as value, count(value_precision) as users
from recommended_items_values
