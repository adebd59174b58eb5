-- Exposure share: the share of the exposure in all lists that goes to the items of a group, from 0
-- to 1. exposure_share(group=new)@10.
-- Reads recs (user_id, item_id, score) and items (item_id, item_group).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The users with a list.
shown_lists as (select distinct user_id from listed where rank <= 10),

-- Each item's groups.
item_groups as (
    select distinct item_id, item_group
    from items
    where item_group is not null
),

-- The items with a group.
grouped_stock as (select item_id from item_groups group by item_id),

-- The users with a list.
grouped_accounts as (select count(*) as users_evaluated from shown_lists),

-- For each item, how often lists show it and whether it can be shown.
grouped_sums as (
    select listed.item_id, sum(1 / log2(listed.rank + 1)) as exposure
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select item_id, cast(null as double) as exposure
    from grouped_stock
),

-- The sums of each item.
grouped_items as (
    select users_evaluated, item_id, sum(exposure) as exposure,
        sum(sum(exposure)) over () as total_exposure
    from grouped_sums
    cross join grouped_accounts
    group by item_id, users_evaluated
),

-- Each group.
grouped as (
    select grouped_items.users_evaluated,
        coalesce(sum(grouped_items.exposure), 0) as exposure,
        max(grouped_items.total_exposure) as total_exposure,
        item_groups.item_group
    from grouped_items
    left join item_groups on item_groups.item_id = grouped_items.item_id
    group by grouped_items.users_evaluated, item_groups.item_group
),

grouped_values as (
    select users_evaluated,
        case
            when sum(
                case when cast(item_group as varchar) = 'new' then exposure / total_exposure end
            ) > 1
                then 1
            else sum(
                case when cast(item_group as varchar) = 'new' then exposure / total_exposure end
            )
        end as exposure_share_group_new  -- Singh & Joachims 2018
    from grouped
    group by users_evaluated
)

select exposure_share_group_new as value,
    cast(
        case when exposure_share_group_new is null then 0 else users_evaluated end as bigint
    ) as users
from grouped_values
