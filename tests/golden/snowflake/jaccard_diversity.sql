-- The mean over users of jaccard_diversity@10.
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
        category,
        case when item_id is null then 1 else 0 end as faults
    from items
),

item_categories as (
    select
        item_id,
        category,
        count(*) over (partition by item_id) as categories
    from (
        select item_id, category
        from described
        where category is not null
        group by item_id, category
    ) as labels
),

listed_categories as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        item_categories.category as category,
        cast(item_categories.categories as double) as categories
    from listed
    join item_categories on item_categories.item_id = listed.item_id
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

category_pairs as (
    select
        below.user_id as user_id,
        below.rank as rank,
        above.rank as rank_above,
        below.categories as categories,
        above.categories as categories_above,
        cast(count(*) as double) as shared
    from listed_categories as below
    join listed_categories as above
        on above.user_id = below.user_id
        and above.category = below.category
        and above.rank < below.rank
    where below.rank <= 10
    group by
        below.user_id, below.rank, below.categories,
        above.rank, above.categories
),

shared_places as (
    select
        user_id,
        rank,
        sum(shared / (categories + categories_above - shared)) as shared_above
    from category_pairs
    group by user_id, rank
),

paired_places as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        coalesce(shared_places.shared_above, 0) as shared_above
    from listed
    left join shared_places
        on shared_places.user_id = listed.user_id
        and shared_places.rank = listed.rank
),

paired as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        paired_places.rank as rank,
        paired_places.shared_above as shared_above
    from shown_lists
    join paired_places
        on paired_places.user_id = shown_lists.user_id
        and paired_places.rank <= shown_lists.k
    where shown_lists.k in (10)
),

paired_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        1 - 2 * sum(shared_above) / nullif(cast(list_length as double) * (list_length - 1), 0) as jaccard_diversity
    from paired
    group by user_id, k, list_length, tied
),

paired_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(jaccard_diversity) as mean_jaccard_diversity,
        count(jaccard_diversity) as users_jaccard_diversity
    from paired_values
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

paired_asked as (
    select 'jaccard_diversity' as metric, 'jaccard_diversity@10' as asked, 1 as number, cast(10 as bigint) as k
),

paired_report as (
    select
        cutoffs.k as k,
        paired_means.mean_jaccard_diversity as mean_jaccard_diversity,
        coalesce(paired_means.users_jaccard_diversity, 0) as users_jaccard_diversity,
        coalesce(paired_means.users_evaluated, 0) as users_evaluated,
        paired_means.users_without_list as users_without_list,
        paired_means.short_lists as short_lists,
        paired_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join paired_means on paired_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        paired_asked.metric as metric,
        nullif(paired_report.k, 2147483646) as k,
        paired_asked.asked as asked,
        case paired_asked.number
            when 1 then paired_report.mean_jaccard_diversity
        end as value,
        case paired_asked.number
            when 1 then paired_report.users_jaccard_diversity
        end as users,
        'recs' as population,
        paired_report.users_evaluated as users_evaluated,
        paired_report.users_without_list as users_without_list,
        paired_report.short_lists as short_lists,
        paired_report.ties_at_cutoff as ties_at_cutoff,
        paired_report.unjudged_lists as unjudged_lists,
        paired_report.repeated_rows as repeated_rows,
        paired_report.faults as faults
    from paired_report
    join paired_asked on paired_asked.k = paired_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
