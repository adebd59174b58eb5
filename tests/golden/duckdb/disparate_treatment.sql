-- Disparate treatment: how evenly groups of items are shown relative to their merit, from 0 to 1.
-- At 1 all groups have the same exposure per relevant item, at 0 a group with relevant items has no
-- exposure. disparate_treatment@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and items (item_id, item_group). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

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
    select listed.item_id, sum(1 / log2(listed.rank + 1)) as exposure,
        cast(null as double) as relevant_pairs
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select relevant.item_id, cast(null as double) as exposure,
        sum(relevant.is_relevant) as relevant_pairs
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    group by relevant.item_id
    union all
    select group_exposure_stock.item_id, cast(null as double) as exposure,
        cast(null as double) as relevant_pairs
    from group_exposure_stock
),

-- The sums of each item from all sources.
group_exposure_counted as (
    select item_id, sum(exposure) as exposure, sum(relevant_pairs) as relevant_pairs
    from group_exposure_sums
    group by item_id
),

-- The rates, with their means over the groups.
group_exposure as (
    select group_exposure_accounts.users_evaluated, item_groups.item_group,
        coalesce(sum(group_exposure_counted.exposure), 0) as exposure,
        sum(group_exposure_counted.relevant_pairs) as relevant_pairs
    from group_exposure_accounts
    cross join group_exposure_counted
    left join item_groups on item_groups.item_id = group_exposure_counted.item_id
    group by group_exposure_accounts.users_evaluated, item_groups.item_group
),

group_exposure_values as (
    select users_evaluated,
        min(case when item_group is not null then exposure / nullif(relevant_pairs, 0) end)
        / nullif(
            max(case when item_group is not null then exposure / nullif(relevant_pairs, 0) end), 0
        ) as disparate_treatment  -- Singh & Joachims 2018
    from group_exposure
    group by users_evaluated
)

select disparate_treatment as value,
    cast(case when disparate_treatment is null then 0 else users_evaluated end as bigint) as users
from group_exposure_values
