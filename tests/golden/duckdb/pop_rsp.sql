-- PopRSP, popularity-based ranking-based statistical parity: how differently the lists show popular
-- and other items, from 0 to 1. At 0 an item of both is as likely to be shown, at 1 only one of
-- them ever is. pop_rsp@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- What users had.
interactions as (select distinct user_id, item_id from history),

item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

history_counts as (select count(*) as history_pairs from interactions),

-- Who has a list.
shown_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
exposed_accounts as (select count(*) as users_evaluated from shown_lists),

exposed_sums as (
    select listed.item_id as item_id, cast(count(*) as double) as lists,
        cast(null as double) as stock, cast(null as double) as seen_by
    from listed
    where listed.rank <= 10
    group by listed.item_id
    union all
    select item_id, cast(null as double) as lists, cast(1 as double) as stock,
        cast(null as double) as seen_by
    from item_counts
    union all
    select interactions.item_id as item_id, cast(null as double) as lists,
        cast(null as double) as stock, cast(count(*) as double) as seen_by
    from interactions
    join shown_lists on shown_lists.user_id = interactions.user_id
    group by interactions.item_id
),

exposed_counted as (
    select item_id, sum(lists) as lists, sum(stock) as stock, sum(seen_by) as seen_by
    from exposed_sums
    group by item_id
),

exposed_items as (
    select item_id, lists,
        case when stock > 0 then users_evaluated - coalesce(seen_by, 0) end as candidates
    from exposed_counted
    cross join exposed_accounts
),

-- Items by how many users had them. What two of them have in common, the item decides.
popular_items as (
    select item_id,
        sum(item_users) over (
            order by item_users desc, item_id asc rows between unbounded preceding and current row
        ) - item_users as pairs_before
    from item_counts
),

exposed as (
    select exposed_items.item_id, exposed_items.lists, exposed_items.candidates,
        popular_items.pairs_before
        / nullif(cast(history_counts.history_pairs as double), 0) as popular_before
    from exposed_items
    left join popular_items on popular_items.item_id = exposed_items.item_id
    cross join history_counts
),

exposed_values as (
    select
        abs(
            sum(case when popular_before < cast('0.8' as double) then coalesce(lists, 0) end)
            / nullif(sum(case when popular_before < cast('0.8' as double) then candidates end), 0)
            - sum(case when popular_before >= cast('0.8' as double) then coalesce(lists, 0) end)
            / nullif(sum(case when popular_before >= cast('0.8' as double) then candidates end), 0)
        )
        / nullif(
            sum(case when popular_before < cast('0.8' as double) then coalesce(lists, 0) end)
            / nullif(sum(case when popular_before < cast('0.8' as double) then candidates end), 0)
            + sum(case when popular_before >= cast('0.8' as double) then coalesce(lists, 0) end)
            / nullif(sum(case when popular_before >= cast('0.8' as double) then candidates end), 0),
            0
        ) as pop_rsp  -- Zhu et al. 2020
    from exposed
)

select pop_rsp as value, cast(null as bigint) as users
from exposed_values
