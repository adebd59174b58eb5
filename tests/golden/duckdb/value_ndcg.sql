-- Value NDCG: the NDCG of a list with the prices of relevant items as gains, from 0 to 1.
-- value_ndcg@10.
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
    select relevant.user_id, listed.rank, item_prices.price,
        row_number() over (
            partition by relevant.user_id order by item_prices.price desc, relevant.item_id asc
        ) as price_rank
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
),

-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select truth_users.user_id, ranked_targets.price,
        case
            when ranked_targets.rank <= 10 then 1 / log2(ranked_targets.rank + 1)
            else cast(0 as double)
        end as discount,
        case
            when ranked_targets.price_rank <= 10 then 1 / log2(ranked_targets.price_rank + 1)
            else cast(0 as double)
        end as best_discount
    from truth_users
    left join ranked_targets on ranked_targets.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

target_items_values as (
    select
        least(sum(price * discount), sum(price * best_discount))
        / nullif(sum(price * best_discount), 0) as value_ndcg  -- Jarvelin & Kekalainen 2002
    from target_items
    group by user_id
)

select avg(value_ndcg) as value, count(value_ndcg) as users
from target_items_values
