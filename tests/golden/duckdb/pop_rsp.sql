-- PopRSP, popularity-based ranking-based statistical parity: how unequally the lists show popular
-- and other items, from 0 to 1. At 0 both are equally likely, at 1 only one is shown. pop_rsp@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
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

-- The length of each list.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- For each item, how often lists show it and how many users had it before.
item_exposure_sums as (
    select listed.item_id, cast(count(*) as double) as lists, cast(null as double) as seen_by
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select interactions.item_id, cast(null as double) as lists,
        cast(count(recommended_lists.user_id) as double) as seen_by
    from interactions
    left join recommended_lists on recommended_lists.user_id = interactions.user_id
    group by interactions.item_id
),

-- The sums of each item.
item_exposure_items as (
    select users_evaluated, item_id, sum(lists) as lists,
        users_evaluated - sum(seen_by) as candidates
    from item_exposure_sums
    cross join item_exposure_accounts
    group by item_id, users_evaluated
),

-- The head: the most popular items, up to the item with which they reach its share of the history.
popular_items as (
    select item_id, case when pairs_before / pairs < 0.8e0 then 1 else 0 end as in_head_0p8
    from (
        select item_id, cast(sum(item_users) over () as double) as pairs,
            sum(item_users) over (
                order by item_users desc, item_id asc
                rows between unbounded preceding and current row
            ) - item_users as pairs_before
        from item_counts
    ) as items_in_order
),

-- Each item, with its columns of catalog and history.
item_exposure_values as (
    select item_exposure_items.users_evaluated,
        abs(
            sum(popular_items.in_head_0p8 * coalesce(item_exposure_items.lists, 0))
            / nullif(sum(popular_items.in_head_0p8 * item_exposure_items.candidates), 0)
            - sum((1 - popular_items.in_head_0p8) * coalesce(item_exposure_items.lists, 0))
            / nullif(sum((1 - popular_items.in_head_0p8) * item_exposure_items.candidates), 0)
        )
        / nullif(
            sum(popular_items.in_head_0p8 * coalesce(item_exposure_items.lists, 0))
            / nullif(sum(popular_items.in_head_0p8 * item_exposure_items.candidates), 0)
            + sum((1 - popular_items.in_head_0p8) * coalesce(item_exposure_items.lists, 0))
            / nullif(sum((1 - popular_items.in_head_0p8) * item_exposure_items.candidates), 0),
            0
        ) as pop_rsp  -- Zhu et al. 2020
    from item_exposure_items
    left join popular_items on popular_items.item_id = item_exposure_items.item_id
    group by item_exposure_items.users_evaluated
)

select pop_rsp as value,
    cast(case when pop_rsp is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
