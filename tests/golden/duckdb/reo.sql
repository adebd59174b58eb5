-- REO, ranking-based equal opportunity: how unequal recall is for groups of items, at least 0. At 0
-- relevant items of all groups are equally likely to be shown. reo@10.
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

-- The users with a list.
group_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
group_exposure_sums as (
    select relevant.item_id, sum(relevant.is_relevant) as relevant_pairs,
        sum(case when listed.rank <= 10 then relevant.is_relevant else 0 end) as hits
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    left join listed
        on listed.user_id = recommended_lists.user_id and listed.item_id = relevant.item_id
    group by relevant.item_id
),

-- The rates of each group.
group_exposure_rates as (
    select group_exposure_accounts.users_evaluated,
        sum(case when item_groups.item_group is not null then group_exposure_sums.hits end)
        / nullif(sum(group_exposure_sums.relevant_pairs), 0) as found_rate
    from group_exposure_accounts
    cross join group_exposure_sums
    left join item_groups on item_groups.item_id = group_exposure_sums.item_id
    group by group_exposure_accounts.users_evaluated, item_groups.item_group
),

-- The rates, with their means over the groups.
group_exposure as (
    select users_evaluated, found_rate,
        sum(found_rate) over () / nullif(count(found_rate) over (), 0) as mean_found
    from group_exposure_rates
),

group_exposure_values as (
    select users_evaluated,
        sqrt(favg((found_rate - mean_found) * (found_rate - mean_found)))
        / nullif(max(mean_found), 0) as reo  -- Zhu et al. 2020
    from group_exposure
    group by users_evaluated
)

select reo as value, cast(case when reo is null then 0 else users_evaluated end as bigint) as users
from group_exposure_values
