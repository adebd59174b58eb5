-- The mean over users of hamming_diversity@10.
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

category_counts as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        listed_categories.category as category,
        cast(count(listed_categories.category) as double) as category_items
    from shown_lists
    left join listed_categories
        on listed_categories.user_id = shown_lists.user_id
        and listed_categories.rank <= shown_lists.k
    where shown_lists.k in (10)
    group by
        shown_lists.user_id, shown_lists.k, shown_lists.list_length, shown_lists.tied,
        listed_categories.category
),

categorized as (
    select
        category_counts.user_id as user_id,
        category_counts.k as k,
        category_counts.list_length as list_length,
        category_counts.tied as tied,
        category_counts.category as category,
        category_counts.category_items as category_items
    from category_counts
),

categorized_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        2 * sum(category_items * (list_length - category_items))
        / nullif(cast(list_length as double) * (list_length - 1), 0) as hamming_diversity
    from categorized
    group by user_id, k, list_length, tied
),

categorized_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        favg(hamming_diversity) as mean_hamming_diversity,
        count(hamming_diversity) as users_hamming_diversity
    from categorized_values
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

categorized_asked as (
    select 'hamming_diversity' as metric, 'hamming_diversity@10' as asked, 1 as number, cast(10 as bigint) as k
),

categorized_report as (
    select
        cutoffs.k as k,
        categorized_means.mean_hamming_diversity as mean_hamming_diversity,
        coalesce(categorized_means.users_hamming_diversity, 0) as users_hamming_diversity,
        coalesce(categorized_means.users_evaluated, 0) as users_evaluated,
        categorized_means.users_without_list as users_without_list,
        categorized_means.short_lists as short_lists,
        categorized_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join categorized_means on categorized_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        categorized_asked.metric as metric,
        nullif(categorized_report.k, 2147483646) as k,
        categorized_asked.asked as asked,
        case categorized_asked.number
            when 1 then categorized_report.mean_hamming_diversity
        end as value,
        case categorized_asked.number
            when 1 then categorized_report.users_hamming_diversity
        end as users,
        'recs' as population,
        categorized_report.users_evaluated as users_evaluated,
        categorized_report.users_without_list as users_without_list,
        categorized_report.short_lists as short_lists,
        categorized_report.ties_at_cutoff as ties_at_cutoff,
        categorized_report.unjudged_lists as unjudged_lists,
        categorized_report.repeated_rows as repeated_rows,
        categorized_report.faults as faults
    from categorized_report
    join categorized_asked on categorized_asked.k = categorized_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
