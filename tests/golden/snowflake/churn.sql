-- The mean over users of churn@10.
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

-- Each place with what is known of its item.
placed as (
    select
        listed.user_id as user_id,
        listed.item_id as item_id,
        listed.rank as rank,
        baseline_listed.rank as baseline_rank
    from listed
    left join baseline_listed
        on baseline_listed.user_id = listed.user_id
        and baseline_listed.item_id = listed.item_id
),

shown as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        case
            when placed.baseline_rank <= shown_lists.k then cast(1 as double)
            else cast(0 as double)
        end as expected,
        coalesce(case shown_lists.k when 10 then baseline_lists.places_10 end, 0) as baseline_length,
        placed.item_id as item_id,
        placed.rank as rank
    from shown_lists
    join placed
        on placed.user_id = shown_lists.user_id
        and placed.rank <= shown_lists.k
    left join baseline_lists on baseline_lists.user_id = shown_lists.user_id
    where shown_lists.k in (10)
),

shown_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        baseline_length,
        1 - 2 * sum(expected) / (list_length + baseline_length) as churn
    from shown
    group by user_id, k, list_length, tied, baseline_length
),

shown_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(churn) as mean_churn,
        count(churn) as users_churn
    from shown_values
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

shown_asked as (
    select 'churn' as metric, 'churn@10' as asked, 1 as number, cast(10 as bigint) as k
),

shown_report as (
    select
        cutoffs.k as k,
        shown_means.mean_churn as mean_churn,
        coalesce(shown_means.users_churn, 0) as users_churn,
        coalesce(shown_means.users_evaluated, 0) as users_evaluated,
        shown_means.users_without_list as users_without_list,
        shown_means.short_lists as short_lists,
        shown_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join shown_means on shown_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        shown_asked.metric as metric,
        nullif(shown_report.k, 2147483646) as k,
        shown_asked.asked as asked,
        case shown_asked.number
            when 1 then shown_report.mean_churn
        end as value,
        case shown_asked.number
            when 1 then shown_report.users_churn
        end as users,
        'recs' as population,
        shown_report.users_evaluated as users_evaluated,
        shown_report.users_without_list as users_without_list,
        shown_report.short_lists as short_lists,
        shown_report.ties_at_cutoff as ties_at_cutoff,
        shown_report.unjudged_lists as unjudged_lists,
        shown_report.repeated_rows as repeated_rows,
        shown_report.faults as faults
    from shown_report
    join shown_asked on shown_asked.k = shown_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
