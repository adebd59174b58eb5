-- The mean over users of pop_rsp@10.
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

seen as (
    select
        user_id,
        item_id,
        count(*) as events,
        case
            when user_id is null or item_id is null
            then count(*)
            else 0
        end as faults
    from history
    group by user_id, item_id
),

item_counts as (
    select item_id, count(*) as item_users, sum(events) as item_events
    from seen
    group by item_id
),

history_counts as (
    select
        count(distinct user_id) as history_users,
        count(distinct item_id) as history_items,
        count(*) as history_pairs
    from seen
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
        cast(count(*) as double) as lists,
        cast(null as double) as stock,
        cast(null as double) as seen_by
    from listed
    cross join cutoffs
    where listed.rank <= cutoffs.k and cutoffs.k in (10)
    group by cutoffs.k, listed.item_id
    union all
    select
        exposed_accounts.k as k,
        item_counts.item_id as item_id,
        cast(null as double) as lists,
        cast(1 as double) as stock,
        cast(null as double) as seen_by
    from exposed_accounts
    cross join item_counts
    union all
    select
        shown_lists.k as k,
        seen.item_id as item_id,
        cast(null as double) as lists,
        cast(null as double) as stock,
        cast(count(*) as double) as seen_by
    from seen
    join shown_lists on shown_lists.user_id = seen.user_id
    where shown_lists.k in (10)
    group by shown_lists.k, seen.item_id
),

-- The accounts are a row without item, whose numbers a window then gives to all rows: a join by
-- segments would lose those that are null.
exposed_counted as (
    select
        k,
        item_id,
        sum(lists) as lists,
        sum(stock) as stock,
        sum(seen_by) as seen_by,
        cast(null as bigint) as users,
        cast(null as bigint) as short_users,
        cast(null as bigint) as tied_users
    from exposed_sums
    group by k, item_id
    union all
    select
        k,
        null as item_id,
        cast(null as double) as lists,
        cast(null as double) as stock,
        cast(null as double) as seen_by,
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
        lists,
        case when stock > 0 then users_evaluated - coalesce(seen_by, 0) end as candidates
    from (
        select
            k,
            lists,
            stock,
            seen_by,
            max(users) over (partition by k) as users_evaluated,
            max(short_users) over (partition by k) as short_lists,
            max(tied_users) over (partition by k) as ties_at_cutoff,
            item_id
        from exposed_counted
    ) as accounted
),

-- Items by how many users had them. What two of them have in common, the item decides.
popular_items as (
    select
        item_id,
        sum(item_users) over (
            order by item_users desc, item_id asc
            rows between unbounded preceding and current row
        ) - item_users as pairs_before
    from item_counts
),

exposed_known as (
    select
        exposed_items.k as k,
        exposed_items.users_evaluated as users_evaluated,
        exposed_items.short_lists as short_lists,
        exposed_items.ties_at_cutoff as ties_at_cutoff,
        exposed_items.item_id as item_id,
        exposed_items.lists as lists,
        exposed_items.candidates as candidates,
        popular_items.pairs_before / nullif(cast(history_counts.history_pairs as double), 0) as popular_before
    from exposed_items
    left join popular_items on popular_items.item_id = exposed_items.item_id
    cross join history_counts
),

exposed as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        item_id,
        lists,
        candidates,
        popular_before
    from exposed_known
),

exposed_values as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        abs(coalesce(sum(case when popular_before < cast('0.8' as double) then lists end), 0)
            / nullif(sum(case when popular_before < cast('0.8' as double) then candidates end), 0) - coalesce(sum(case when popular_before >= cast('0.8' as double) then lists end), 0)
            / nullif(sum(case when popular_before >= cast('0.8' as double) then candidates end), 0)) / nullif(coalesce(sum(case when popular_before < cast('0.8' as double) then lists end), 0)
            / nullif(sum(case when popular_before < cast('0.8' as double) then candidates end), 0) + coalesce(sum(case when popular_before >= cast('0.8' as double) then lists end), 0)
            / nullif(sum(case when popular_before >= cast('0.8' as double) then candidates end), 0), 0) as pop_rsp
    from exposed
    group by k, users_evaluated, short_lists, ties_at_cutoff
),

exposed_means as (
    select
        k,
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff,
        pop_rsp as mean_pop_rsp,
        cast(case when pop_rsp is null then 0 else users_evaluated end as bigint) as users_pop_rsp
    from exposed_values
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from seen
    ) as all_faults
),

exposed_asked as (
    select 'pop_rsp' as metric, 'pop_rsp@10' as asked, 1 as number, cast(10 as bigint) as k
),

exposed_report as (
    select
        cutoffs.k as k,
        exposed_means.mean_pop_rsp as mean_pop_rsp,
        coalesce(exposed_means.users_pop_rsp, 0) as users_pop_rsp,
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
            when 1 then exposed_report.mean_pop_rsp
        end as value,
        case exposed_asked.number
            when 1 then exposed_report.users_pop_rsp
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
