-- Exposure share: the share of the exposure in all lists that goes to the items of a group, from 0
-- to 1. exposure_share(group=new)@10.
-- Reads recs (user_id, item_id, score) and items (item_id, item_group).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- Each item's groups.
item_groups as (
    select distinct item_id, item_group
    from items
    where item_group is not null
),

-- The items with a group.
group_exposure_stock as (select distinct item_id from item_groups),

-- The users with a list.
group_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
group_exposure_sums as (
    select listed.item_id, sum(1 / log(2, listed.rank + 1)) as exposure
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select group_exposure_stock.item_id, cast(null as double) as exposure
    from group_exposure_stock
),

-- The sums of each item from all sources.
group_exposure_counted as (
    select item_id, sum(exposure) as exposure
    from group_exposure_sums
    group by item_id
),

-- Each item, with the users who could have it and the sums over all items.
group_exposure_items as (
    select group_exposure_accounts.users_evaluated, group_exposure_counted.item_id,
        group_exposure_counted.exposure,
        sum(group_exposure_counted.exposure) over () as total_exposure
    from group_exposure_accounts
    cross join group_exposure_counted
),

-- The rates, with their means over the groups.
group_exposure as (
    select group_exposure_items.users_evaluated, item_groups.item_group,
        coalesce(sum(group_exposure_items.exposure), 0) as exposure,
        max(group_exposure_items.total_exposure) as total_exposure
    from group_exposure_items
    left join item_groups on item_groups.item_id = group_exposure_items.item_id
    group by group_exposure_items.users_evaluated, item_groups.item_group
),

group_exposure_values as (
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
    from group_exposure
    group by users_evaluated
)

select exposure_share_group_new as value,
    cast(
        case when exposure_share_group_new is null then 0 else users_evaluated end as bigint
    ) as users
from group_exposure_values
