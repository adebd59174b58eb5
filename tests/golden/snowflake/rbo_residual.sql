-- The mean over users of rbo_residual@10.
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

-- Every recommendation.
baseline_recommended as (
    select
        user_id,
        item_id,
        case when score = cast('NaN' as double) then null else score + 0 end as score
    from baseline
),

baseline_ranked as (
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
    from baseline_recommended
),

-- The places that the cutoffs reach.
baseline_listed as (
    select
        user_id, item_id, rank, unplaced, tied
    from baseline_ranked
    where rank <= 10
),

baseline_lists as (
    select
        user_id,
        cast(least(count(*), 10) as bigint) as places_10,
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        + count(item_id) - count(distinct item_id)
        + sum(unplaced) as faults
    from baseline_listed
    group by user_id
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

own_places as (
    select
        user_id,
        item_id,
        rank as place
    from listed
),

other_places as (
    select
        user_id,
        item_id,
        rank as place
    from baseline_listed
),

-- The places of both lists, each with the other's place for the same item.
places_of_both as (
    select
        own_places.user_id as user_id,
        1 as own,
        own_places.place as place,
        other_places.place as partner
    from own_places
    left join other_places
        on other_places.user_id = own_places.user_id
        and other_places.item_id = own_places.item_id
    union all
    select
        lists.user_id as user_id,
        0 as own,
        other_places.place as place,
        own_places.place as partner
    from lists
    join other_places on other_places.user_id = lists.user_id
    left join own_places
        on own_places.user_id = lists.user_id
        and own_places.item_id = other_places.item_id
),

pairs_of_lengths as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        coalesce(case shown_lists.k when 10 then baseline_lists.places_10 end, 0) as baseline_length
    from shown_lists
    left join baseline_lists on baseline_lists.user_id = shown_lists.user_id
    where shown_lists.k in (10)
),

pairs_of_lists as (
    select
        user_id, k, list_length, tied,
        baseline_length,
        cast(case when list_length < baseline_length then list_length else baseline_length end as double) as shorter,
        cast(case when list_length > baseline_length then list_length else baseline_length end as double) as longer
    from pairs_of_lengths
),

-- Two lists meet in an item where the second of them has it.
met_at_depths as (
    select user_id, k, list_length, tied, baseline_length, shorter, longer, depth, sum(met) as met
    from (
        select
            pairs_of_lists.user_id as user_id,
        pairs_of_lists.k as k,
        pairs_of_lists.list_length as list_length,
        pairs_of_lists.tied as tied,
        pairs_of_lists.baseline_length as baseline_length,
        pairs_of_lists.shorter as shorter,
        pairs_of_lists.longer as longer,
            cast(places_of_both.place + sides.beyond * pairs_of_lists.longer as double) as depth,
            case
                when sides.beyond = 1 then cast(0 as double)
                when places_of_both.own = 1
                    and places_of_both.partner <= places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.baseline_length
                then cast(1 as double)
                when places_of_both.own = 0
                    and places_of_both.partner < places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.list_length
                then cast(1 as double)
                else cast(0 as double)
            end as met
        from pairs_of_lists
        join places_of_both on places_of_both.user_id = pairs_of_lists.user_id
        cross join (select 0 as beyond union all select 1 as beyond) as sides
        where places_of_both.place
            <= case places_of_both.own when 1 then pairs_of_lists.list_length else pairs_of_lists.baseline_length end
            and (
                sides.beyond = 0
                or places_of_both.own = case when pairs_of_lists.list_length <= pairs_of_lists.baseline_length then 1 else 0 end
            )
    ) as met_places
    group by user_id, k, list_length, tied, baseline_length, shorter, longer, depth
),

overlapped as (
    select
        user_id, k, list_length, tied, baseline_length, shorter, longer,
        depth,
        sum(met) over (
            partition by user_id, k order by depth asc
            rows between unbounded preceding and current row
        ) as overlap,
        sum(met) over (partition by user_id, k) as common,
        longer + shorter - sum(met) over (partition by user_id, k) as last_depth
    from met_at_depths
),

overlapped_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        shorter,
        longer,
        common,
        last_depth,
        case
            when (shorter) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), shorter)
            else cast(0 as double)
        end + case
            when (longer) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), longer)
            else cast(0 as double)
        end - case
            when (last_depth) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), last_depth)
            else cast(0 as double)
        end
        - cast('0.11111111111111108' as double) * (
            shorter * sum(case when depth > shorter and depth <= last_depth then case
            when (depth) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), depth)
            else cast(0 as double)
        end / depth else cast(0 as double) end)
            + longer * sum(case when depth > longer and depth <= last_depth then case
            when (depth) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), depth)
            else cast(0 as double)
        end / depth else cast(0 as double) end)
            + common * case when (-ln(cast('0.09999999999999998' as double)) - sum(case when depth <= last_depth then case
            when (depth) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), depth)
            else cast(0 as double)
        end / depth else cast(0 as double) end)) > 0 then least((-ln(cast('0.09999999999999998' as double)) - sum(case when depth <= last_depth then case
            when (depth) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), depth)
            else cast(0 as double)
        end / depth else cast(0 as double) end)), case
            when (last_depth + 1) * ln(cast('0.9' as double)) > -700
            then power(cast('0.9' as double), last_depth + 1)
            else cast(0 as double)
        end / ((last_depth + 1) * cast('0.09999999999999998' as double))) else cast(0 as double) end
        ) as rbo_residual
    from overlapped
    group by user_id, k, list_length, tied, shorter, longer, common, last_depth
),

overlapped_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(rbo_residual) as mean_rbo_residual,
        count(rbo_residual) as users_rbo_residual
    from overlapped_values
    group by k
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from baseline_lists
    ) as all_faults
),

overlapped_asked as (
    select 'rbo_residual' as metric, 'rbo_residual@10' as asked, 1 as number, cast(10 as bigint) as k
),

overlapped_report as (
    select
        cutoffs.k as k,
        overlapped_means.mean_rbo_residual as mean_rbo_residual,
        coalesce(overlapped_means.users_rbo_residual, 0) as users_rbo_residual,
        coalesce(overlapped_means.users_evaluated, 0) as users_evaluated,
        overlapped_means.users_without_list as users_without_list,
        overlapped_means.short_lists as short_lists,
        overlapped_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join overlapped_means on overlapped_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        overlapped_asked.metric as metric,
        nullif(overlapped_report.k, 2147483646) as k,
        overlapped_asked.asked as asked,
        case overlapped_asked.number
            when 1 then overlapped_report.mean_rbo_residual
        end as value,
        case overlapped_asked.number
            when 1 then overlapped_report.users_rbo_residual
        end as users,
        'recs' as population,
        overlapped_report.users_evaluated as users_evaluated,
        overlapped_report.users_without_list as users_without_list,
        overlapped_report.short_lists as short_lists,
        overlapped_report.ties_at_cutoff as ties_at_cutoff,
        overlapped_report.unjudged_lists as unjudged_lists,
        overlapped_report.repeated_rows as repeated_rows,
        overlapped_report.faults as faults
    from overlapped_report
    join overlapped_asked on overlapped_asked.k = overlapped_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
