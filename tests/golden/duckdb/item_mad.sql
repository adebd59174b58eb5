-- Item MAD, mean absolute difference: how much the mean gains of groups of items differ, over the
-- ranks of their items, at least 0. At 0, the mean gains of all groups are equal. item_mad@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id, relevance) and items (item_id,
-- item_group).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(relevance as double)
            else 0
        end as relevance,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each item's groups.
groups_of_gains as (
    select distinct item_id, item_group
    from items
    where item_group is not null
),

-- The ranks of lists, with the judgments of their items.
group_gains_ranks as (
    select listed.item_id, coalesce(relevant.is_relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance,
        case
            when row_number() over (partition by truth_users.user_id order by listed.rank asc) = 1
                then 1
            else 0
        end as first_of_list
    from truth_users
    left join listed on listed.user_id = truth_users.user_id and listed.rank <= 10
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where truth_users.relevant_items > 0
),

-- The mean worth of each item.
group_gains_items as (
    select item_id, sum(hit * relevance) / count(*) as linear_all,
        sum(sum(first_of_list)) over () as users_evaluated
    from group_gains_ranks
    group by item_id
),

-- The mean of each group.
group_gains_groups as (
    select groups_of_gains.item_group,
        max(group_gains_items.users_evaluated) as users_evaluated,
        favg(
            case when groups_of_gains.item_group is not null then group_gains_items.linear_all end
        ) as mean_linear_all
    from group_gains_items
    left join groups_of_gains on groups_of_gains.item_id = group_gains_items.item_id
    group by groups_of_gains.item_group
),

-- The groups in the order of their means; groups without a mean are last.
group_gains as (
    select users_evaluated, mean_linear_all,
        cast(count(mean_linear_all) over () as double) as groups_linear_all,
        cast(
            row_number() over (
                order by case when mean_linear_all is null then 1 else 0 end asc,
                mean_linear_all asc,
                item_group asc
            ) as double
        ) as rank_linear_all
    from group_gains_groups
),

group_gains_values as (
    select users_evaluated,
        -- Deldjoo et al. 2021
        2 * greatest(sum((2 * rank_linear_all - groups_linear_all - 1) * mean_linear_all), 0)
        / nullif(max(groups_linear_all) * (max(groups_linear_all) - 1), 0) as item_mad
    from group_gains
    group by users_evaluated
)

select item_mad as value,
    cast(case when item_mad is null then 0 else users_evaluated end as bigint) as users
from group_gains_values
