-- The mean over users of reo@10.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
with
-- Every recommendation.
recommended as (
    select
        user_id,
        item_id,
        case when score = cast('NaN' as double) then null else score + 0 end as score
    from recs
),

ranked as (
    select
        user_id,
        item_id,
        row_number() over (partition by user_id order by score desc nulls first, item_id asc) as rank,
        case when score is null then 1 else 0 end as unplaced,
        case
            when lead(score) over (partition by user_id order by score desc nulls first, item_id asc) = score
            then 1
            else 0
        end as tied
    from recommended
),

-- The places that the cutoffs reach.
listed as (
    select
        user_id, item_id, rank, unplaced, tied
    from ranked
    where rank <= 10
),

lists as (
    select
        user_id,
        cast(least(count(*), 10) as bigint) as places_10,
        max(case when rank = 10 then tied else 0 end) as tied_10,
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        + count(item_id) - count(distinct item_id)
        + sum(unplaced) as faults
    from listed
    group by user_id
),

-- Every judgement.
judgements as (
    select
        user_id,
        item_id,
        cast(1 as double) as grade
    from truth
),

relevant as (
    select
        user_id,
        item_id,
        case when grade > 0 then grade else cast(0 as double) end as relevance,
        case
            when grade > 0
            then cast(1 as double)
            else cast(0 as double)
        end as relevant,
        grade,
        case
            when grade between -cast('1e+100' as double) and cast('1e+100' as double)
            then 0
            else 1
        end as misgraded
    from judgements
),

judged_users as (
    select
        user_id,
        count(*) as judged_items,
        cast(sum(relevant) as bigint) as relevant_items,
        cast(
            sum(case when relevance > 0 or relevant > 0 then 1 else 0 end) as bigint
        ) as ideal_items,
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        + count(item_id) - count(distinct item_id)
        + sum(misgraded) as faults
    from relevant
    group by user_id
),

described as (
    select
        item_id,
        item_group,
        case when item_id is null then 1 else 0 end as faults
    from items
),

cutoffs as (
    select cast(10 as bigint) as k
),

shown_lists as (
    select
        lists.user_id as user_id,
        cutoffs.k as k,
        case cutoffs.k when 10 then lists.places_10 end as list_length,
        case cutoffs.k when 10 then lists.tied_10 end as tied
    from lists
    cross join cutoffs
    where case cutoffs.k when 10 then lists.places_10 end > 0
),

-- Each item's groups.
item_groups as (
    select item_id, item_group
    from described
    where item_group is not null
    group by item_id, item_group
),

grouped_stock as (
    select item_id
    from item_groups
    group by item_id
),

-- The users of each segment and cutoff.
grouped_accounts as (
    select
        k,
        count(*) as users_evaluated,
        sum(case when list_length < k then 1 else 0 end) as short_lists,
        sum(tied) as ties_at_cutoff
    from shown_lists
    where k in (10)
    group by k
),

grouped_sums as (
    select
        shown_lists.k as k,
        relevant.item_id as item_id,
        sum(relevant.relevant) as wanted,
        sum(case when listed.rank <= shown_lists.k then relevant.relevant else 0 end) as hits,
        cast(null as double) as stock
    from relevant
    join shown_lists on shown_lists.user_id = relevant.user_id
    left join listed
        on listed.user_id = shown_lists.user_id
        and listed.item_id = relevant.item_id
    where relevant.relevant > 0 and shown_lists.k in (10)
    group by shown_lists.k, relevant.item_id
    union all
    select
        grouped_accounts.k as k,
        grouped_stock.item_id as item_id,
        cast(null as double) as wanted,
        cast(null as double) as hits,
        cast(1 as double) as stock
    from grouped_accounts
    cross join grouped_stock
),

-- The accounts are a row without item, whose numbers a window then gives to all rows: a join by
-- segments would lose those that are null.
grouped_counted as (
    select
        k,
        item_id,
        sum(wanted) as wanted,
        sum(hits) as hits,
        sum(stock) as stock,
        cast(null as bigint) as users,
        cast(null as bigint) as short_users,
        cast(null as bigint) as tied_users
    from grouped_sums
    group by k, item_id
    union all
    select
        k,
        null as item_id,
        cast(null as double) as wanted,
        cast(null as double) as hits,
        cast(null as double) as stock,
        cast(users_evaluated as bigint) as users,
        cast(short_lists as bigint) as short_users,
        cast(ties_at_cutoff as bigint) as tied_users
    from grouped_accounts
),

grouped_items as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        item_id,
        wanted,
        hits
    from (
        select
            k,
            wanted,
            hits,
            stock,
            max(users) over (partition by k) as users_evaluated,
            max(short_users) over (partition by k) as short_lists,
            max(tied_users) over (partition by k) as ties_at_cutoff,
            item_id
        from grouped_counted
    ) as accounted
),

grouped_rates as (
    select
        grouped_items.k as k,
        grouped_items.users_evaluated as users_evaluated,
        grouped_items.short_lists as short_lists,
        grouped_items.ties_at_cutoff as ties_at_cutoff,
        sum(case when item_groups.item_group is null then null else grouped_items.hits end)
        / nullif(sum(grouped_items.wanted), 0) as found_rate,
        item_groups.item_group as item_group
    from grouped_items
    left join item_groups on item_groups.item_id = grouped_items.item_id
    group by grouped_items.k, grouped_items.users_evaluated, grouped_items.short_lists, grouped_items.ties_at_cutoff, item_groups.item_group
),

grouped as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        found_rate,
        sum(found_rate) over (partition by k)
        / nullif(count(found_rate) over (partition by k), 0) as mean_found,
        item_group
    from grouped_rates
),

grouped_values as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        sqrt(avg((found_rate - mean_found) * (found_rate - mean_found)))
        / nullif(max(mean_found), 0) as reo
    from grouped
    group by k, users_evaluated, short_lists, ties_at_cutoff
),

grouped_means as (
    select
        k,
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff,
        reo as mean_reo,
        cast(case when reo is null then 0 else users_evaluated end as bigint) as users_reo
    from grouped_values
),

unjudged as (
    select
        cutoffs.k as k,
        sum(
            case
                when judged_users.relevant_items > 0 then 0
                when case cutoffs.k when 10 then lists.places_10 end > 0 then 1
                else 0
            end
        ) as unjudged_lists
    from lists
    cross join cutoffs
    left join judged_users on judged_users.user_id = lists.user_id
    group by cutoffs.k
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from judged_users
        union all
        select cast(faults as bigint) as faults from described
    ) as all_faults
),

grouped_asked as (
    select 'reo' as metric, 'reo@10' as asked, 1 as number, cast(10 as bigint) as k
),

grouped_report as (
    select
        cutoffs.k as k,
        grouped_means.mean_reo as mean_reo,
        coalesce(grouped_means.users_reo, 0) as users_reo,
        coalesce(grouped_means.users_evaluated, 0) as users_evaluated,
        grouped_means.users_without_list as users_without_list,
        grouped_means.short_lists as short_lists,
        grouped_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join grouped_means on grouped_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        grouped_asked.metric as metric,
        nullif(grouped_report.k, 2147483646) as k,
        grouped_asked.asked as asked,
        case grouped_asked.number
            when 1 then grouped_report.mean_reo
        end as value,
        case grouped_asked.number
            when 1 then grouped_report.users_reo
        end as users,
        'recs' as population,
        grouped_report.users_evaluated as users_evaluated,
        grouped_report.users_without_list as users_without_list,
        grouped_report.short_lists as short_lists,
        grouped_report.ties_at_cutoff as ties_at_cutoff,
        grouped_report.unjudged_lists as unjudged_lists,
        grouped_report.repeated_rows as repeated_rows,
        grouped_report.faults as faults
    from grouped_report
    join grouped_asked on grouped_asked.k = grouped_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
