-- PopRSP, popularity-based ranking-based statistical parity: how unequally the lists show popular
-- and other items, from 0 to 1. At 0 both are equally likely, at 1 only one is shown. pop_rsp@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
item_exposure_sums as (
    select listed.item_id, cast(count(*) as double) as lists, cast(null as double) as seen_by,
        cast(null as double) as stock
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select item_counts.item_id, cast(null as double) as lists, cast(null as double) as seen_by,
        cast(1 as double) as stock
    from item_counts
    union all
    select interactions.item_id, cast(null as double) as lists, cast(count(*) as double) as seen_by,
        cast(null as double) as stock
    from interactions
    join recommended_lists on recommended_lists.user_id = interactions.user_id
    group by interactions.item_id
),

-- The sums of each item from all sources.
item_exposure_counted as (
    select item_id, sum(lists) as lists, sum(seen_by) as seen_by, sum(stock) as stock
    from item_exposure_sums
    group by item_id
),

-- The head: the most popular items, up to the item with which they reach its share of the history.
popular_items as (
    select item_id,
        case when pairs_before / pairs < cast('0.8' as double) then 1 else 0 end as in_head_0p8
    from (
        select item_id, cast(sum(item_users) over () as double) as pairs,
            sum(item_users) over (
                order by item_users desc, item_id asc
                rows between unbounded preceding and current row
            ) - item_users as pairs_before
        from item_counts
    ) as items_in_order
),

-- Each item, with its columns.
item_exposure as (
    select item_exposure_accounts.users_evaluated, item_exposure_counted.lists,
        case
            when item_exposure_counted.stock > 0
                then item_exposure_accounts.users_evaluated
                - coalesce(item_exposure_counted.seen_by, 0)
        end as candidates,
        popular_items.in_head_0p8
    from item_exposure_accounts
    cross join item_exposure_counted
    left join popular_items on popular_items.item_id = item_exposure_counted.item_id
),

item_exposure_values as (
    select users_evaluated,
        abs(
            sum(in_head_0p8 * coalesce(lists, 0)) / nullif(sum(in_head_0p8 * candidates), 0)
            - sum((1 - in_head_0p8) * coalesce(lists, 0))
            / nullif(sum((1 - in_head_0p8) * candidates), 0)
        )
        / nullif(
            sum(in_head_0p8 * coalesce(lists, 0)) / nullif(sum(in_head_0p8 * candidates), 0)
            + sum((1 - in_head_0p8) * coalesce(lists, 0))
            / nullif(sum((1 - in_head_0p8) * candidates), 0),
            0
        ) as pop_rsp  -- Zhu et al. 2020
    from item_exposure
    group by users_evaluated
)

select pop_rsp as value,
    cast(case when pop_rsp is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
