-- Value precision: the share of what the items within k cost that is of relevant ones, from 0 to 1.
-- value_precision@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id), all of it relevant and
-- items (item_id, price).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- What each user of the truth has.
truth_users as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

item_attributes as (
    select item_id,
        case
            when cast(price as double) = cast('NaN' as double) then null
            else cast(price as double) + 0
        end as price
    from items
),

-- What each item costs.
item_prices as (
    select item_id, max(price) as price
    from item_attributes
    group by item_id
),

-- The places of the first 10, with what is known of their items.
shown as (
    select listed.user_id,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        coalesce(relevant.is_relevant, 0) as hit, item_prices.price
    from listed
    left join item_prices on item_prices.item_id = listed.item_id
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    where listed.rank <= 10
),

shown_values as (
    select user_id, relevant_items,
        case
            when relevant_items > 0 then sum(hit * price) / nullif(sum(price), 0)
        end as value_precision  -- scikit-learn
    from shown
    group by user_id, relevant_items
)

select avg(value_precision) as value, count(value_precision) as users
from shown_values
