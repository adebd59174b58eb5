-- The mean over users of baseline_serendipity@10.
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
        case when relevant.relevant >= 0 then cast(1 as double) else cast(0 as double) end as judged,
        coalesce(relevant.relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance,
        baseline_listed.rank as baseline_rank
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
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
        placed.judged as judged,
        placed.hit as hit,
        placed.relevance as relevance,
        cast(coalesce(judged_users.relevant_items, 0) as double) as relevant_items,
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
    left join judged_users on judged_users.user_id = shown_lists.user_id
    left join baseline_lists on baseline_lists.user_id = shown_lists.user_id
    where shown_lists.k in (10)
),

shown_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        relevant_items,
        case
            when relevant_items > 0
            then
                sum(hit * (1 - expected)) / list_length
        end as baseline_serendipity
    from shown
    group by user_id, k, list_length, tied, relevant_items
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
        avg(baseline_serendipity) as mean_baseline_serendipity,
        count(baseline_serendipity) as users_baseline_serendipity
    from shown_values
    group by k
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
        select cast(faults as bigint) as faults from baseline_lists
    ) as all_faults
),

shown_asked as (
    select 'baseline_serendipity' as metric, 'baseline_serendipity@10' as asked, 1 as number, cast(10 as bigint) as k
),

shown_report as (
    select
        cutoffs.k as k,
        shown_means.mean_baseline_serendipity as mean_baseline_serendipity,
        coalesce(shown_means.users_baseline_serendipity, 0) as users_baseline_serendipity,
        coalesce(shown_means.users_evaluated, 0) as users_evaluated,
        shown_means.users_without_list as users_without_list,
        shown_means.short_lists as short_lists,
        shown_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join shown_means on shown_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        shown_asked.metric as metric,
        nullif(shown_report.k, 2147483646) as k,
        shown_asked.asked as asked,
        case shown_asked.number
            when 1 then shown_report.mean_baseline_serendipity
        end as value,
        case shown_asked.number
            when 1 then shown_report.users_baseline_serendipity
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
