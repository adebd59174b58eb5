-- Value recall: the share of what the user's relevant items cost that stands within k, from 0 to 1.
-- value_recall@10.
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

-- Who is averaged over: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each user's relevant items, and their places in the list.
wanted_items as (
    select relevant.user_id as user_id, listed.rank as rank, item_prices.price
    from relevant
    left join item_prices on item_prices.item_id = relevant.item_id
    left join listed on listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
    where relevant.is_relevant > 0
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
