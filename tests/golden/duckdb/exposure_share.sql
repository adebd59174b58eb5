-- The mean over users of exposure_share(group=new)@10.
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

scored as (
    select
        *,
        rank() over (partition by user_id order by score desc nulls first) as first_place,
        row_number() over (partition by user_id order by score desc nulls first) as some_place,
        coalesce(lead(score) over (partition by user_id order by score desc nulls first) = score, score is null) as before_equal
    from recommended
),

ranked as (
    select
        user_id,
        item_id,
        first_place as rank,
        case when score is null then 1 else 0 end as unplaced,
        0 as tied
    from scored
    where first_place = some_place and not before_equal
        and first_place <= 10
    union all
    select
        user_id,
        item_id,
        first_place - 1 + row_number() over (partition by user_id, first_place order by item_id asc) as rank,
        case when score is null then 1 else 0 end as unplaced,
        case
            when score is not null and row_number() over (partition by user_id, first_place order by item_id asc) < count(*) over (partition by user_id, first_place)
            then 1
            else 0
        end as tied
    from scored
    where (first_place < some_place or before_equal)
        and first_place <= 10
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
        (bit_or(case when rank between 1 and 62 then cast(tied as bigint) << rank else 0 end) >> 10) & 1 as tied_10,
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        + count(item_id) - count(distinct item_id)
        + sum(unplaced) as faults
    from listed
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
        cutoffs.k as k,
        listed.item_id as item_id,
        sum(1 / log2(listed.rank + 1)) as exposure,
        cast(null as double) as stock
    from listed
    cross join cutoffs
    where listed.rank <= cutoffs.k and cutoffs.k in (10)
    group by cutoffs.k, listed.item_id
    union all
    select
        grouped_accounts.k as k,
        grouped_stock.item_id as item_id,
        cast(null as double) as exposure,
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
        sum(exposure) as exposure,
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
        cast(null as double) as exposure,
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
        exposure,
        total_exposure
    from (
        select
            k,
            exposure,
            stock,
            max(users) over (partition by k) as users_evaluated,
            max(short_users) over (partition by k) as short_lists,
            max(tied_users) over (partition by k) as ties_at_cutoff,
            sum(exposure) over (partition by k) as total_exposure,
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
        coalesce(sum(grouped_items.exposure), 0) as exposure,
        max(grouped_items.total_exposure) as total_exposure,
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
        exposure,
        total_exposure,
        item_group
    from grouped_rates
),

grouped_values as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        sum(
            case
                when cast(item_group as varchar) = 'new' then exposure / total_exposure
            end
        ) as exposure_share_group_new
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
        exposure_share_group_new as mean_exposure_share_group_new,
        cast(case when exposure_share_group_new is null then 0 else users_evaluated end as bigint) as users_exposure_share_group_new
    from grouped_values
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from described
    ) as all_faults
),

grouped_asked as (
    select 'exposure_share(group=new)' as metric, 'exposure_share(group=new)@10' as asked, 1 as number, cast(10 as bigint) as k
),

grouped_report as (
    select
        cutoffs.k as k,
        grouped_means.mean_exposure_share_group_new as mean_exposure_share_group_new,
        coalesce(grouped_means.users_exposure_share_group_new, 0) as users_exposure_share_group_new,
        coalesce(grouped_means.users_evaluated, 0) as users_evaluated,
        grouped_means.users_without_list as users_without_list,
        grouped_means.short_lists as short_lists,
        grouped_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join grouped_means on grouped_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        grouped_asked.metric as metric,
        nullif(grouped_report.k, 2147483646) as k,
        grouped_asked.asked as asked,
        case grouped_asked.number
            when 1 then grouped_report.mean_exposure_share_group_new
        end as value,
        case grouped_asked.number
            when 1 then grouped_report.users_exposure_share_group_new
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
