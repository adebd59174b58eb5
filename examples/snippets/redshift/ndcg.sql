-- The mean over users of ndcg@10.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
with
-- Every recommendation.
recommended as (
    select
        user_id,
        item_id,
        case when score = cast('NaN' as double precision) then null else score + 0 end as score
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
        case when cast(relevance as double precision) = cast('NaN' as double precision) then null else cast(relevance as double precision) + 0 end as grade
    from truth
),

relevant as (
    select
        user_id,
        item_id,
        case when grade > 0 then grade else cast(0 as double precision) end as relevance,
        case
            when grade > 0
            then cast(1 as double precision)
            else cast(0 as double precision)
        end as relevant,
        grade,
        case
            when grade between -cast('1e+100' as double precision) and cast('1e+100' as double precision)
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

-- The user's items from best to worst.
ideal_lists as (
    select
        user_id,
        relevance,
        relevant as hit,
        row_number() over (partition by user_id order by relevance desc, item_id asc) as rank
    from relevant
    where relevance > 0 or relevant > 0
),

ideal_sums as (
    select
        user_id,
        rank as depth,
        sum(relevance * 1 / (ln(rank + 1) / ln(cast(2 as double precision)))) over (
            partition by user_id order by rank asc rows between unbounded preceding and current row
        ) as linear_dcg
    from ideal_lists
),

evaluated as (
    select
        evaluated_users.user_id as user_id,
        cutoffs.k as k,
        case cutoffs.k when 10 then evaluated_users.places_10 end as list_length,
        evaluated_users.relevant_items as relevant_items,
        evaluated_users.judged_items as judged_items,
        case cutoffs.k when 10 then evaluated_users.tied_10 end as tied,
        nullif(sums_achievable.linear_dcg, 0) as ideal_dcg_linear_achievable
    from evaluated_users
    cross join cutoffs
    left join ideal_sums as sums_achievable
        on sums_achievable.user_id = evaluated_users.user_id
        and sums_achievable.depth = least(cutoffs.k, evaluated_users.ideal_items)
),

-- What the lists and the truth have in common.
hits as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        relevant.relevance as relevance,
        relevant.relevant as hit,
        1 / (ln(listed.rank + 1) / ln(cast(2 as double precision))) as discount
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

reached as (
    select user_id, k, rank, relevance, hit, discount
    from hits
    cross join cutoffs
    where rank <= k
),

judged as (
    select
        evaluated.user_id as user_id,
        evaluated.k as k,
        evaluated.list_length as list_length,
        evaluated.tied as tied,
        evaluated.relevant_items as relevant_items,
        evaluated.ideal_dcg_linear_achievable as ideal_dcg_linear_achievable,
        case when reached.rank > 0 then reached.rank else 2147483647 end as rank,
        coalesce(reached.hit, 0) as hit,
        coalesce(reached.discount, cast(0 as double precision)) as discount,
        coalesce(reached.relevance, 0) as relevance
    from evaluated
    left join reached
        on reached.user_id = evaluated.user_id
        and reached.k = evaluated.k
),

judged_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        relevant_items,
        ideal_dcg_linear_achievable,
        sum(relevance * discount) / ideal_dcg_linear_achievable as ndcg
    from judged
    group by user_id, k, list_length, tied, relevant_items, ideal_dcg_linear_achievable
),

judged_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(ndcg) as mean_ndcg,
        count(ndcg) as users_ndcg
    from judged_values
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

judged_asked as (
    select 'ndcg' as metric, 'ndcg@10' as asked, 1 as number, cast(10 as bigint) as k
),

judged_report as (
    select
        cutoffs.k as k,
        judged_means.mean_ndcg as mean_ndcg,
        coalesce(judged_means.users_ndcg, 0) as users_ndcg,
        coalesce(judged_means.users_evaluated, 0) as users_evaluated,
        judged_means.users_without_list as users_without_list,
        judged_means.short_lists as short_lists,
        judged_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join judged_means on judged_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        judged_asked.metric as metric,
        nullif(judged_report.k, 2147483646) as k,
        judged_asked.asked as asked,
        case judged_asked.number
            when 1 then judged_report.mean_ndcg
        end as value,
        case judged_asked.number
            when 1 then judged_report.users_ndcg
        end as users,
        'truth' as population,
        judged_report.users_evaluated as users_evaluated,
        judged_report.users_without_list as users_without_list,
        judged_report.short_lists as short_lists,
        judged_report.ties_at_cutoff as ties_at_cutoff,
        judged_report.unjudged_lists as unjudged_lists,
        judged_report.repeated_rows as repeated_rows,
        judged_report.faults as faults
    from judged_report
    join judged_asked on judged_asked.k = judged_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
