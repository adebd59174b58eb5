-- Item MAD, mean absolute difference: how far groups of items are apart in what their items gain
-- where lists show them, from 0 up. At 0 items of all groups meet the users who want them equally
-- often. item_mad@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id, relevance) and items (item_id, item_group).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(relevance as double) as relevance,
        cast(1 as double) as is_relevant
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- Each item's groups.
groups_of_gained as (
    select distinct item_id, item_group
    from items
    where item_group is not null
),

-- The places of lists, with what the truth says of their items.
gained_places as (
    select listed.item_id, coalesce(relevant.is_relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance,
        case
            when row_number() over (partition by evaluated.user_id order by listed.rank asc) = 1
                then 1
            else 0
        end as first_of_list
    from evaluated
    left join listed on listed.user_id = evaluated.user_id and listed.rank <= 10
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

-- What each item is worth on average.
gained_items as (
    select item_id, sum(hit * relevance) / count(*) as linear_all,
        sum(sum(first_of_list)) over () as users_evaluated
    from gained_places
    group by item_id
),

-- The mean of each group.
gained_groups as (
    select gained_items.users_evaluated, groups_of_gained.item_group,
        favg(
            case when groups_of_gained.item_group is not null then gained_items.linear_all end
        ) as mean_linear_all
    from gained_items
    left join groups_of_gained on groups_of_gained.item_id = gained_items.item_id
    group by gained_items.users_evaluated, groups_of_gained.item_group
),

-- The groups in order of their means, those without one last.
gained as (
    select users_evaluated, mean_linear_all,
        cast(count(mean_linear_all) over () as double) as groups_linear_all,
        cast(
            row_number() over (
                order by case when mean_linear_all is null then 1 else 0 end asc,
                mean_linear_all asc,
                item_group asc
            ) as double
        ) as place_linear_all
    from gained_groups
),

gained_values as (
    select users_evaluated,
        -- Deldjoo et al. 2021
        2 * greatest(sum((2 * place_linear_all - groups_linear_all - 1) * mean_linear_all), 0)
        / nullif(max(groups_linear_all) * (max(groups_linear_all) - 1), 0) as item_mad
    from gained
    group by users_evaluated
)

select item_mad as value,
    cast(case when item_mad is null then 0 else users_evaluated end as bigint) as users
from gained_values
