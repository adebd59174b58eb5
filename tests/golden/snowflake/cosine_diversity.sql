-- The mean over users of cosine_diversity@10.
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

described as (
    select
        item_id,
        feature,
        case when cast(value as double) = cast('NaN' as double) then null else cast(value as double) + 0 end as value,
        case when item_id is null then 1 else 0 end
        + case
            when value is null then 0
            when abs(case when cast(value as double) = cast('NaN' as double) then null else cast(value as double) + 0 end) > cast('1e+100' as double) then 1
            else 0
        end as faults
    from items
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

-- Where a value is told more often, the mean counts.
feature_values as (
    select item_id, feature, avg(value) as value
    from described
    where feature is not null and value is not null
    group by item_id, feature
),

-- Items as vectors of length 1. What is next to 0 is left out, so that squares stay numbers.
item_vectors as (
    select item_id, feature, value / sqrt(squares) as coordinate
    from (
        select
            item_id,
            feature,
            value,
            sum(value * value) over (partition by item_id) as squares
        from feature_values
        where abs(value) >= cast('1e-100' as double)
    ) as lengths
    where abs(value) >= sqrt(squares) * cast('1e-100' as double)
),

listed_vectors as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        item_vectors.feature as feature,
        item_vectors.coordinate as coordinate
    from listed
    join item_vectors on item_vectors.item_id = listed.item_id
),

featured as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        listed_vectors.feature as feature,
        coalesce(sum(listed_vectors.coordinate), 0) as feature_sum,
        coalesce(sum(listed_vectors.coordinate * listed_vectors.coordinate), 0) as feature_squares
    from shown_lists
    left join listed_vectors
        on listed_vectors.user_id = shown_lists.user_id
        and listed_vectors.rank <= shown_lists.k
    where shown_lists.k in (10)
    group by
        shown_lists.user_id, shown_lists.k, shown_lists.list_length, shown_lists.tied,
        listed_vectors.feature
),

featured_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        1 - sum(feature_sum * feature_sum - feature_squares)
        / nullif(cast(list_length as double) * (list_length - 1), 0) as cosine_diversity
    from featured
    group by user_id, k, list_length, tied
),

featured_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(cosine_diversity) as mean_cosine_diversity,
        count(cosine_diversity) as users_cosine_diversity
    from featured_values
    group by k
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from described
    ) as all_faults
),

featured_asked as (
    select 'cosine_diversity' as metric, 'cosine_diversity@10' as asked, 1 as number, cast(10 as bigint) as k
),

featured_report as (
    select
        cutoffs.k as k,
        featured_means.mean_cosine_diversity as mean_cosine_diversity,
        coalesce(featured_means.users_cosine_diversity, 0) as users_cosine_diversity,
        coalesce(featured_means.users_evaluated, 0) as users_evaluated,
        featured_means.users_without_list as users_without_list,
        featured_means.short_lists as short_lists,
        featured_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join featured_means on featured_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        featured_asked.metric as metric,
        nullif(featured_report.k, 2147483646) as k,
        featured_asked.asked as asked,
        case featured_asked.number
            when 1 then featured_report.mean_cosine_diversity
        end as value,
        case featured_asked.number
            when 1 then featured_report.users_cosine_diversity
        end as users,
        'recs' as population,
        featured_report.users_evaluated as users_evaluated,
        featured_report.users_without_list as users_without_list,
        featured_report.short_lists as short_lists,
        featured_report.ties_at_cutoff as ties_at_cutoff,
        featured_report.unjudged_lists as unjudged_lists,
        featured_report.repeated_rows as repeated_rows,
        featured_report.faults as faults
    from featured_report
    join featured_asked on featured_asked.k = featured_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
