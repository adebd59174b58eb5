-- The mean over users of catalog_coverage@10.
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

catalogued as (
    select
        item_id,
        case when item_id is null then count(*) else 0 end as faults
    from catalog
    group by item_id
),

catalog_counts as (
    select count(*) as catalog_items
    from catalogued
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

-- The users of each segment and cutoff.
exposed_accounts as (
    select
        k,
        count(*) as users_evaluated,
        sum(case when list_length < k then 1 else 0 end) as short_lists,
        sum(tied) as ties_at_cutoff
    from shown_lists
    where k in (10)
    group by k
),

exposed_sums as (
    select
        cutoffs.k as k,
        listed.item_id as item_id,
        cast(count(*) as double) as lists
    from listed
    cross join cutoffs
    where listed.rank <= cutoffs.k and cutoffs.k in (10)
    group by cutoffs.k, listed.item_id
),

-- The accounts are a row without item, whose numbers a window then gives to all rows: a join by
-- segments would lose those that are null.
exposed_counted as (
    select
        k,
        item_id,
        lists as lists,
        cast(null as bigint) as users,
        cast(null as bigint) as short_users,
        cast(null as bigint) as tied_users
    from exposed_sums
    union all
    select
        k,
        null as item_id,
        cast(null as double) as lists,
        cast(users_evaluated as bigint) as users,
        cast(short_lists as bigint) as short_users,
        cast(ties_at_cutoff as bigint) as tied_users
    from exposed_accounts
),

exposed_items as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        item_id,
        lists
    from (
        select
            k,
            lists,
            max(users) over (partition by k) as users_evaluated,
            max(short_users) over (partition by k) as short_lists,
            max(tied_users) over (partition by k) as ties_at_cutoff,
            item_id
        from exposed_counted
    ) as accounted
),

exposed_known as (
    select
        exposed_items.k as k,
        exposed_items.users_evaluated as users_evaluated,
        exposed_items.short_lists as short_lists,
        exposed_items.ties_at_cutoff as ties_at_cutoff,
        exposed_items.item_id as item_id,
        exposed_items.lists as lists,
        catalog_counts.catalog_items as catalog_items,
        case when catalogued.faults >= 0 then cast(1 as double) else cast(0 as double) end as in_catalog
    from exposed_items
    left join catalogued on catalogued.item_id = exposed_items.item_id
    cross join catalog_counts
),

exposed as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        item_id,
        lists,
        catalog_items,
        in_catalog
    from exposed_known
),

exposed_values as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        catalog_items,
        sum(case when lists > 0 then in_catalog else 0 end) / nullif(catalog_items, 0) as catalog_coverage
    from exposed
    group by k, users_evaluated, short_lists, ties_at_cutoff, catalog_items
),

exposed_means as (
    select
        k,
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff,
        catalog_coverage as mean_catalog_coverage,
        cast(case when catalog_coverage is null then 0 else users_evaluated end as bigint) as users_catalog_coverage
    from exposed_values
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from catalogued
    ) as all_faults
),

exposed_asked as (
    select 'catalog_coverage' as metric, 'catalog_coverage@10' as asked, 1 as number, cast(10 as bigint) as k
),

exposed_report as (
    select
        cutoffs.k as k,
        exposed_means.mean_catalog_coverage as mean_catalog_coverage,
        coalesce(exposed_means.users_catalog_coverage, 0) as users_catalog_coverage,
        coalesce(exposed_means.users_evaluated, 0) as users_evaluated,
        exposed_means.users_without_list as users_without_list,
        exposed_means.short_lists as short_lists,
        exposed_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join exposed_means on exposed_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        exposed_asked.metric as metric,
        nullif(exposed_report.k, 2147483646) as k,
        exposed_asked.asked as asked,
        case exposed_asked.number
            when 1 then exposed_report.mean_catalog_coverage
        end as value,
        case exposed_asked.number
            when 1 then exposed_report.users_catalog_coverage
        end as users,
        'recs' as population,
        exposed_report.users_evaluated as users_evaluated,
        exposed_report.users_without_list as users_without_list,
        exposed_report.short_lists as short_lists,
        exposed_report.ties_at_cutoff as ties_at_cutoff,
        exposed_report.unjudged_lists as unjudged_lists,
        exposed_report.repeated_rows as repeated_rows,
        exposed_report.faults as faults
    from exposed_report
    join exposed_asked on exposed_asked.k = exposed_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
