-- Value recall: the total price of the relevant items within k as a share of the total price of all
-- the user's relevant items, from 0 to 1. value_recall@10.
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

-- Each user's relevant items, and their ranks in the list.
ranked_targets as (
    select relevant.user_id, listed.rank, item_prices.price
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select truth_users.user_id,
        cast(case when ranked_targets.rank <= 10 then 1 else 0 end as double) as found,
        ranked_targets.price
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

target_items_values as (
    select
        sum(found * price) / nullif(sum(price), 0) as value_recall  -- scikit-learn
    from target_items
    group by user_id
)

select avg(value_recall) as value, count(value_recall) as users
from target_items_values
