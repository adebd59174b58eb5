-- RSP, ranking-based statistical parity: how differently the lists show the groups of items, from 0
-- up. At 0 an item of each group is as likely to be shown. rsp@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id) and
-- items (item_id, item_group).
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

seen as (
    select user_id, item_id, count(*) as events
    from history
    group by user_id, item_id
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
    select listed.item_id as item_id, cast(count(*) as double) as lists,
        cast(null as double) as stock, cast(null as double) as seen_by
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select grouped_stock.item_id as item_id, cast(null as double) as lists,
        cast(1 as double) as stock, cast(null as double) as seen_by
    from grouped_accounts
    cross join grouped_stock
    union all
    select seen.item_id as item_id, cast(null as double) as lists, cast(null as double) as stock,
        cast(count(*) as double) as seen_by
    from seen
    join shown_lists on shown_lists.user_id = seen.user_id
    group by seen.item_id
),

-- The accounts are a row without item, whose numbers a window then gives to all rows: a join by
-- segments would lose those that are null.
grouped_counted as (
    select item_id, sum(lists) as lists, sum(stock) as stock, sum(seen_by) as seen_by,
        cast(null as bigint) as users
    from grouped_sums
    group by item_id
    union all
    select null as item_id, cast(null as double) as lists, cast(null as double) as stock,
        cast(null as double) as seen_by, cast(users_evaluated as bigint) as users
    from grouped_accounts
),

grouped_items as (
    select users_evaluated, item_id, lists, total_lists,
        case when stock > 0 then users_evaluated - coalesce(seen_by, 0) end as candidates
    from (
        select lists, stock, seen_by, max(users) over () as users_evaluated,
            sum(lists) over () as total_lists, item_id
        from grouped_counted
    ) as accounted
),

grouped_rates as (
    select grouped_items.users_evaluated,
        coalesce(sum(grouped_items.lists), 0)
        / nullif(sum(cast(grouped_items.candidates as double)), 0) as shown_rate,
        item_groups.item_group as item_group
    from grouped_items
    left join item_groups on item_groups.item_id = grouped_items.item_id
    group by grouped_items.users_evaluated, item_groups.item_group
),

grouped as (
    select users_evaluated, shown_rate,
        sum(shown_rate) over () / nullif(count(shown_rate) over (), 0) as mean_shown,
        item_group
    from grouped_rates
),

grouped_values as (
    select
        sqrt(favg((shown_rate - mean_shown) * (shown_rate - mean_shown)))
        / nullif(max(mean_shown), 0) as rsp  -- Zhu et al. 2020
    from grouped
)

select rsp as value, cast(null as bigint) as users
from grouped_values
