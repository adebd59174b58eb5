-- Exposure share: the share of the exposure in all lists that falls on the items of a group, from 0
-- to 1. exposure_share(group=new)@10.
-- Reads recs (user_id, item_id, score) and items (item_id, item_group).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- How long each list is.
list_lengths as (
    select user_id,
        cast(
            bit_count(
                bit_or(
                    case when rank between 1 and 62 then cast(1 as bigint) << rank else 0 end
                ) & 2047
            ) as bigint
        ) as places_10
    from listed
    group by user_id
),

described as (
    select item_id, item_group from items
),

shown_lists as (
    select list_lengths.user_id
    from list_lengths
    where list_lengths.places_10 > 0
),

-- Each item's groups.
item_groups as (
    select item_id, item_group
    from described
    where item_group is not null
    group by item_id, item_group
),

grouped_stock as (
    select item_id from item_groups group by item_id
),

-- The users of each segment and cutoff.
grouped_accounts as (
    select count(*) as users_evaluated from shown_lists
),

grouped_sums as (
    select listed.item_id as item_id,
        sum(1 / log2(listed.rank + 1)) as exposure,
        cast(null as double) as stock
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select grouped_stock.item_id as item_id, cast(null as double) as exposure,
        cast(1 as double) as stock
    from grouped_accounts
    cross join grouped_stock
),

grouped_counted as (
    select item_id, sum(exposure) as exposure, sum(stock) as stock
    from grouped_sums
    group by item_id
),

grouped_items as (
    select item_id, exposure, total_exposure
    from (
        select exposure, stock, sum(exposure) over () as total_exposure, item_id
        from grouped_counted
    ) as accounted
),

grouped_rates as (
    select
        coalesce(sum(grouped_items.exposure), 0) as exposure,
        max(grouped_items.total_exposure) as total_exposure,
        item_groups.item_group as item_group
    from grouped_items
    left join item_groups on item_groups.item_id = grouped_items.item_id
    group by item_groups.item_group
),

grouped as (
    select exposure, total_exposure, item_group from grouped_rates
),

grouped_values as (
    select
        sum(
            case when cast(item_group as varchar) = 'new' then exposure / total_exposure end
        ) as exposure_share_group_new  -- Singh & Joachims 2018
    from grouped
)

select exposure_share_group_new as value, cast(null as bigint) as users
from grouped_values
