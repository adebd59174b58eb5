-- The mean over users of gauc@10.
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

rated_items as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        listed.score as score,
        relevant.grade as grade,
        relevant.relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null
),

rated_places as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        rated_items.rank as rank,
        rated_items.score as score,
        rated_items.grade as grade,
        rated_items.relevant as relevant
    from shown_lists
    join rated_items
        on rated_items.user_id = shown_lists.user_id
        and rated_items.rank <= shown_lists.k
    where shown_lists.k in (10)
),

rated as (
    select
        user_id, k, list_length, tied,
        cast(score as double) as predicted,
        sum(1 - relevant) over (
            partition by user_id, k order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by user_id, k, score) as tied_negatives,
        grade,
        relevant
    from rated_places
),

rated_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        sum(relevant * (negatives_so_far - tied_negatives / 2))
        / nullif(sum(relevant) * sum(1 - relevant), 0) as gauc
    from rated
    group by user_id, k, list_length, tied
),

rated_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        favg(gauc) as mean_gauc,
        count(gauc) as users_gauc
    from rated_values
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

rated_asked as (
    select 'gauc' as metric, 'gauc@10' as asked, 1 as number, cast(10 as bigint) as k
),

rated_report as (
    select
        cutoffs.k as k,
        rated_means.mean_gauc as mean_gauc,
        coalesce(rated_means.users_gauc, 0) as users_gauc,
        coalesce(rated_means.users_evaluated, 0) as users_evaluated,
        rated_means.users_without_list as users_without_list,
        rated_means.short_lists as short_lists,
        rated_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join rated_means on rated_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        rated_asked.metric as metric,
        nullif(rated_report.k, 2147483646) as k,
        rated_asked.asked as asked,
        case rated_asked.number
            when 1 then rated_report.mean_gauc
        end as value,
        case rated_asked.number
            when 1 then rated_report.users_gauc
        end as users,
        'rated' as population,
        rated_report.users_evaluated as users_evaluated,
        rated_report.users_without_list as users_without_list,
        rated_report.short_lists as short_lists,
        rated_report.ties_at_cutoff as ties_at_cutoff,
        rated_report.unjudged_lists as unjudged_lists,
        rated_report.repeated_rows as repeated_rows,
        rated_report.faults as faults
    from rated_report
    join rated_asked on rated_asked.k = rated_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
