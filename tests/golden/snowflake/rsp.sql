-- RSP, ranking-based statistical parity: how unequal the probability of being shown is for groups
-- of items, at least 0. At 0 items of all groups are equally likely to be shown. rsp@10.
-- Reads recs (user_id, item_id, score),
-- history (user_id, item_id) and items (item_id, item_group).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
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

-- The sums of each item.
group_exposure_sums as (
    select listed.item_id, cast(count(*) as double) as lists, cast(null as double) as seen_by,
        cast(null as double) as stock
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select group_exposure_stock.item_id, cast(null as double) as lists,
        cast(null as double) as seen_by, cast(1 as double) as stock
    from group_exposure_stock
    union all
    select interactions.item_id, cast(null as double) as lists, cast(count(*) as double) as seen_by,
        cast(null as double) as stock
    from interactions
    join recommended_lists on recommended_lists.user_id = interactions.user_id
    group by interactions.item_id
),

-- The sums of each item from all sources.
group_exposure_counted as (
    select item_id, sum(lists) as lists, sum(seen_by) as seen_by, sum(stock) as stock
    from group_exposure_sums
    group by item_id
),

-- Each item, with the users who could have it and the sums over all items.
group_exposure_items as (
    select group_exposure_accounts.users_evaluated, group_exposure_counted.item_id,
        group_exposure_counted.lists,
        case
            when group_exposure_counted.stock > 0
                then group_exposure_accounts.users_evaluated
                - coalesce(group_exposure_counted.seen_by, 0)
        end as candidates
    from group_exposure_accounts
    cross join group_exposure_counted
),

-- The rates of each group.
group_exposure_rates as (
    select group_exposure_items.users_evaluated,
        coalesce(sum(group_exposure_items.lists), 0)
        / nullif(sum(cast(group_exposure_items.candidates as double)), 0) as shown_rate
    from group_exposure_items
    left join item_groups on item_groups.item_id = group_exposure_items.item_id
    group by group_exposure_items.users_evaluated, item_groups.item_group
),

-- The rates, with their means over the groups.
group_exposure as (
    select users_evaluated, shown_rate,
        sum(shown_rate) over () / nullif(count(shown_rate) over (), 0) as mean_shown
    from group_exposure_rates
),

group_exposure_values as (
    select users_evaluated,
        sqrt(avg((shown_rate - mean_shown) * (shown_rate - mean_shown)))
        / nullif(max(mean_shown), 0) as rsp  -- Zhu et al. 2020
    from group_exposure
    group by users_evaluated
)

select rsp as value, cast(case when rsp is null then 0 else users_evaluated end as bigint) as users
from group_exposure_values
