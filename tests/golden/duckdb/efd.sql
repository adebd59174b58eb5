-- The mean over users of efd@10.
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

-- Each place with what is known of its item.
placed as (
    select
        listed.user_id as user_id,
        listed.item_id as item_id,
        listed.rank as rank,
        1 / log2(listed.rank + 1) as discount,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(history_counts.history_pairs as double) as history_pairs,
        case when relevant.relevant >= 0 then cast(1 as double) else cast(0 as double) end as judged,
        coalesce(relevant.relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    cross join history_counts
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

shown as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        placed.item_users as item_users,
        placed.history_pairs as history_pairs,
        placed.judged as judged,
        placed.hit as hit,
        placed.relevance as relevance,
        placed.discount as discount,
        cast(coalesce(judged_users.relevant_items, 0) as double) as relevant_items,
        placed.item_id as item_id,
        placed.rank as rank
    from shown_lists
    join placed
        on placed.user_id = shown_lists.user_id
        and placed.rank <= shown_lists.k
    left join judged_users on judged_users.user_id = shown_lists.user_id
    where shown_lists.k in (10)
),

shown_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        relevant_items,
        history_pairs,
        case when relevant_items > 0 then sum(discount * hit * log2(nullif(history_pairs, 0) / case when item_users > 1 then item_users else 1 end)) / sum(discount) end as efd
    from shown
    group by user_id, k, list_length, tied, relevant_items, history_pairs
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
        favg(efd) as mean_efd,
        count(efd) as users_efd
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
        select cast(faults as bigint) as faults from seen
    ) as all_faults
),

shown_asked as (
    select 'efd' as metric, 'efd@10' as asked, 1 as number, cast(10 as bigint) as k
),

shown_report as (
    select
        cutoffs.k as k,
        shown_means.mean_efd as mean_efd,
        coalesce(shown_means.users_efd, 0) as users_efd,
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
            when 1 then shown_report.mean_efd
        end as value,
        case shown_asked.number
            when 1 then shown_report.users_efd
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
