-- Bias disparity: the relative change of the bias toward a group of items, from the users' history
-- to the lists, at least -1. At 0, the group has the same share of the history and of the lists.
-- bias_disparity(group=new)@10.
-- Reads recs (user_id, item_id, score), history (user_id, item_id) and items (item_id, item_group).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

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

-- Each row of the sources, with the terms that it adds to the sums of its item.
group_exposure_added as (
    select item_id, cast(1 as double) as lists, cast(null as double) as seen_by
    from listed
    where rank <= 10
    union all
    select group_exposure_stock.item_id, cast(null as double) as lists,
        cast(null as double) as seen_by
    from group_exposure_stock
    union all
    select interactions.item_id, cast(null as double) as lists, cast(1 as double) as seen_by
    from interactions
    join recommended_lists on recommended_lists.user_id = interactions.user_id
),

-- The sums of each item.
group_exposure_sums as (
    select item_id, sum(lists) as lists, sum(seen_by) as seen_by
    from group_exposure_added
    group by item_id
),

-- Each item, with the number of users who could get it and the sums over all items.
group_exposure_items as (
    select group_exposure_accounts.users_evaluated, group_exposure_sums.item_id,
        group_exposure_sums.lists, group_exposure_sums.seen_by,
        sum(group_exposure_sums.lists) over () as total_lists,
        sum(group_exposure_sums.seen_by) over () as total_seen_by
    from group_exposure_accounts
    cross join group_exposure_sums
),

-- The rates, with their means over the groups.
group_exposure as (
    select item_groups.item_group,
        max(group_exposure_items.users_evaluated) as users_evaluated,
        coalesce(sum(group_exposure_items.lists), 0) as lists,
        max(group_exposure_items.total_lists) as total_lists,
        max(group_exposure_items.total_seen_by) as total_seen_by,
        coalesce(sum(group_exposure_items.seen_by), 0) as seen_by
    from group_exposure_items
    left join item_groups on item_groups.item_id = group_exposure_items.item_id
    group by item_groups.item_group
),

group_exposure_values as (
    select users_evaluated,
        sum(case when cast(item_group as varchar) = 'new' then lists end) / max(total_lists)
        / nullif(
            sum(case when cast(item_group as varchar) = 'new' then seen_by end)
            / nullif(max(total_seen_by), 0),
            0
        ) - 1 as bias_disparity_group_new  -- Tsintzou, Pitoura & Tsaparas 2019
    from group_exposure
    group by users_evaluated
)

select bias_disparity_group_new as value,
    cast(
        case when bias_disparity_group_new is null then 0 else users_evaluated end as bigint
    ) as users
from group_exposure_values
