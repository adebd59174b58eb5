-- The mean over users of threshold_f1@10.
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
        score,
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
        score,
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
        user_id, item_id, score, rank, unplaced, tied
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
        + sum(unplaced)
        + sum(case when score between cast('-1e+100' as double) and cast('1e+100' as double) or score is null then 0 else 1 end) as faults
    from listed
    group by user_id
),

-- Every judgement.
judgements as (
    select
        user_id,
        item_id,
        case when cast(relevance as double) = cast('NaN' as double) then null else cast(relevance as double) + 0 end as grade
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

cutoffs as (
    select cast(10 as bigint) as k
),

-- Who is averaged over: truth.
evaluated_users as (
    select
        judged_users.user_id as user_id,
        coalesce(lists.places_10, 0) as places_10,
        coalesce(lists.tied_10, 0) as tied_10,
        coalesce(judged_users.relevant_items, 0) as relevant_items,
        coalesce(judged_users.judged_items, 0) as judged_items,
        coalesce(judged_users.ideal_items, 0) as ideal_items
    from judged_users
    left join lists
        on lists.user_id = judged_users.user_id
    where judged_users.relevant_items > 0
),

evaluated as (
    select
        evaluated_users.user_id as user_id,
        cutoffs.k as k,
        case cutoffs.k when 10 then evaluated_users.places_10 end as list_length,
        evaluated_users.relevant_items as relevant_items,
        evaluated_users.judged_items as judged_items,
        case cutoffs.k when 10 then evaluated_users.tied_10 end as tied
    from evaluated_users
    cross join cutoffs
),

graded as (
    select
        evaluated.user_id as user_id,
        evaluated.k as k,
        evaluated.list_length as list_length,
        evaluated.tied as tied,
        relevant.grade as grade,
        case
            when listed.rank <= evaluated.k then cast(listed.score as double)
        end as predicted
    from evaluated
    left join relevant on relevant.user_id = evaluated.user_id
    left join listed
        on listed.user_id = evaluated.user_id
        and listed.item_id = relevant.item_id
    where evaluated.k in (10)
),

graded_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        coalesce(
            2 * sum(case when predicted >= cast('3.5' as double) and grade >= cast('3.5' as double) then cast(1 as double) else cast(0 as double) end)
            / nullif(sum(case when predicted >= cast('3.5' as double) then cast(1 as double) else cast(0 as double) end) + sum(case when grade >= cast('3.5' as double) then cast(1 as double) else cast(0 as double) end), 0),
            0
        ) as threshold_f1
    from graded
    group by user_id, k, list_length, tied
),

graded_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        favg(threshold_f1) as mean_threshold_f1,
        count(threshold_f1) as users_threshold_f1
    from graded_values
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
    ) as all_faults
),

graded_asked as (
    select 'threshold_f1' as metric, 'threshold_f1@10' as asked, 1 as number, cast(10 as bigint) as k
),

graded_report as (
    select
        cutoffs.k as k,
        graded_means.mean_threshold_f1 as mean_threshold_f1,
        coalesce(graded_means.users_threshold_f1, 0) as users_threshold_f1,
        coalesce(graded_means.users_evaluated, 0) as users_evaluated,
        graded_means.users_without_list as users_without_list,
        graded_means.short_lists as short_lists,
        graded_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join graded_means on graded_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        graded_asked.metric as metric,
        nullif(graded_report.k, 2147483646) as k,
        graded_asked.asked as asked,
        case graded_asked.number
            when 1 then graded_report.mean_threshold_f1
        end as value,
        case graded_asked.number
            when 1 then graded_report.users_threshold_f1
        end as users,
        'truth' as population,
        graded_report.users_evaluated as users_evaluated,
        graded_report.users_without_list as users_without_list,
        graded_report.short_lists as short_lists,
        graded_report.ties_at_cutoff as ties_at_cutoff,
        graded_report.unjudged_lists as unjudged_lists,
        graded_report.repeated_rows as repeated_rows,
        graded_report.faults as faults
    from graded_report
    join graded_asked on graded_asked.k = graded_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
