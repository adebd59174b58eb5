-- PopREO, popularity-based ranking-based equal opportunity: how unequal recall is for popular and
-- other items, from 0 to 1. At 0 relevant items of both groups are equally likely to be shown, at 1
-- only one group is ever found. pop_reo@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and history (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

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
    select relevant.item_id, sum(relevant.is_relevant) as relevant_pairs,
        sum(case when listed.rank <= 10 then relevant.is_relevant else 0 end) as hits
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    left join listed
        on listed.user_id = recommended_lists.user_id and listed.item_id = relevant.item_id
    group by relevant.item_id
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

-- Each item, with its columns.
item_exposure_values as (
    select item_exposure_accounts.users_evaluated,
        abs(
            sum(popular_items.in_head_0p8 * item_exposure_sums.hits)
            / nullif(sum(popular_items.in_head_0p8 * item_exposure_sums.relevant_pairs), 0)
            - sum((1 - popular_items.in_head_0p8) * item_exposure_sums.hits)
            / nullif(sum((1 - popular_items.in_head_0p8) * item_exposure_sums.relevant_pairs), 0)
        )
        / nullif(
            sum(popular_items.in_head_0p8 * item_exposure_sums.hits)
            / nullif(sum(popular_items.in_head_0p8 * item_exposure_sums.relevant_pairs), 0)
            + sum((1 - popular_items.in_head_0p8) * item_exposure_sums.hits)
            / nullif(sum((1 - popular_items.in_head_0p8) * item_exposure_sums.relevant_pairs), 0),
            0
        ) as pop_reo  -- Zhu et al. 2020
    from item_exposure_accounts
    cross join item_exposure_sums
    left join popular_items on popular_items.item_id = item_exposure_sums.item_id
    group by item_exposure_accounts.users_evaluated
)

select pop_reo as value,
    cast(case when pop_reo is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
