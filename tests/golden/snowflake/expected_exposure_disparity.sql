-- The mean over users of expected_exposure_disparity@10.
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

wanted_grades as (
    select
        user_id,
        relevance,
        cast(sum(graded_items) over (
            partition by user_id order by relevance desc
            rows between unbounded preceding and current row
        ) - graded_items as double) as better_items,
        cast(graded_items as double) as equal_items
    from (
        select user_id, relevance, count(*) as graded_items
        from relevant
        where relevant > 0
        group by user_id, relevance
    ) as grades
),

attended_places as (
    select
        listed.user_id as user_id,
        cutoffs.k as k,
        listed.rank as rank,
        coalesce(relevant.relevant, 0) as hit,
        wanted_grades.better_items as better_items,
        wanted_grades.equal_items as equal_items
    from listed
    cross join cutoffs
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id
        and wanted_grades.relevance = relevant.relevance
    where listed.rank <= cutoffs.k and cutoffs.k in (10)
),

attended as (
    select
        evaluated.user_id as user_id,
        evaluated.k as k,
        evaluated.list_length as list_length,
        evaluated.tied as tied,
        evaluated.relevant_items as relevant_items,
        attended_places.rank as rank,
        attended_places.hit as hit,
        attended_places.better_items as better_items,
        attended_places.equal_items as equal_items
    from evaluated
    left join attended_places
        on attended_places.user_id = evaluated.user_id
        and attended_places.k = evaluated.k
    where evaluated.k in (10)
    union all
    select
        evaluated.user_id as user_id,
        evaluated.k as k,
        evaluated.list_length as list_length,
        evaluated.tied as tied,
        evaluated.relevant_items as relevant_items,
        cast(null as bigint) as rank,
        cast(null as double) as hit,
        wanted_grades.better_items as better_items,
        wanted_grades.equal_items as equal_items
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
    where evaluated.k in (10)
),

attended_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        relevant_items,
        coalesce(sum(case
            when (cast(rank - 1 as double)) * ln(cast('0.5' as double)) > -700
            then power(cast('0.5' as double), cast(rank - 1 as double))
            else cast(0 as double)
        end * case
            when (cast(rank - 1 as double)) * ln(cast('0.5' as double)) > -700
            then power(cast('0.5' as double), cast(rank - 1 as double))
            else cast(0 as double)
        end), 0) as expected_exposure_disparity
    from attended
    group by user_id, k, list_length, tied, relevant_items
),

attended_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(expected_exposure_disparity) as mean_expected_exposure_disparity,
        count(expected_exposure_disparity) as users_expected_exposure_disparity
    from attended_values
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

attended_asked as (
    select 'expected_exposure_disparity' as metric, 'expected_exposure_disparity@10' as asked, 1 as number, cast(10 as bigint) as k
),

attended_report as (
    select
        cutoffs.k as k,
        attended_means.mean_expected_exposure_disparity as mean_expected_exposure_disparity,
        coalesce(attended_means.users_expected_exposure_disparity, 0) as users_expected_exposure_disparity,
        coalesce(attended_means.users_evaluated, 0) as users_evaluated,
        attended_means.users_without_list as users_without_list,
        attended_means.short_lists as short_lists,
        attended_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join attended_means on attended_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        attended_asked.metric as metric,
        nullif(attended_report.k, 2147483646) as k,
        attended_asked.asked as asked,
        case attended_asked.number
            when 1 then attended_report.mean_expected_exposure_disparity
        end as value,
        case attended_asked.number
            when 1 then attended_report.users_expected_exposure_disparity
        end as users,
        'truth' as population,
        attended_report.users_evaluated as users_evaluated,
        attended_report.users_without_list as users_without_list,
        attended_report.short_lists as short_lists,
        attended_report.ties_at_cutoff as ties_at_cutoff,
        attended_report.unjudged_lists as unjudged_lists,
        attended_report.repeated_rows as repeated_rows,
        attended_report.faults as faults
    from attended_report
    join attended_asked on attended_asked.k = attended_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
