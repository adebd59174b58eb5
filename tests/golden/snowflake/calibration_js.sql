-- The mean over users of calibration_js@10.
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

history_categories as (
    select
        seen.user_id as user_id,
        item_categories.category as category,
        sum(1 / cast(item_categories.categories as double)) as history_weight
    from seen
    join item_categories on item_categories.item_id = seen.item_id
    group by seen.user_id, item_categories.category
),

-- Those of the history stand above every place, as they count at each cutoff.
weighed_categories as (
    select
        user_id,
        rank,
        category,
        1 / categories as list_weight,
        cast(0 as double) as history_weight
    from listed_categories
    union all
    select
        lists.user_id as user_id,
        0 as rank,
        history_categories.category as category,
        cast(0 as double) as list_weight,
        history_categories.history_weight as history_weight
    from lists
    join history_categories on history_categories.user_id = lists.user_id
),

category_weights as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        weighed_categories.category as category,
        sum(weighed_categories.list_weight) as list_weight,
        sum(weighed_categories.history_weight) as history_weight
    from shown_lists
    left join weighed_categories
        on weighed_categories.user_id = shown_lists.user_id
        and weighed_categories.rank <= shown_lists.k
    where shown_lists.k in (10)
    group by
        shown_lists.user_id, shown_lists.k, shown_lists.list_length, shown_lists.tied,
        weighed_categories.category
),

calibrated as (
    select
        user_id, k, list_length, tied,
        category,
        list_weight / nullif(
            sum(list_weight) over (partition by user_id, k), 0
        ) as list_share,
        history_weight / nullif(
            sum(history_weight) over (partition by user_id, k), 0
        ) as history_share
    from category_weights
),

calibrated_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        sum(
            case
                when history_share + list_share > 0
                then (
                    case
                        when history_share > 0
                        then history_share * (ln(2 * history_share / (history_share + list_share)) / ln(cast(2 as double)))
                        else 0
                    end +
                    case
                        when list_share > 0
                        then list_share * (ln(2 * list_share / (history_share + list_share)) / ln(cast(2 as double)))
                        else 0
                    end
                ) / 2
            end
        ) as calibration_js
    from calibrated
    group by user_id, k, list_length, tied
),

calibrated_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(calibration_js) as mean_calibration_js,
        count(calibration_js) as users_calibration_js
    from calibrated_values
    group by k
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from seen
        union all
        select cast(faults as bigint) as faults from described
    ) as all_faults
),

calibrated_asked as (
    select 'calibration_js' as metric, 'calibration_js@10' as asked, 1 as number, cast(10 as bigint) as k
),

calibrated_report as (
    select
        cutoffs.k as k,
        calibrated_means.mean_calibration_js as mean_calibration_js,
        coalesce(calibrated_means.users_calibration_js, 0) as users_calibration_js,
        coalesce(calibrated_means.users_evaluated, 0) as users_evaluated,
        calibrated_means.users_without_list as users_without_list,
        calibrated_means.short_lists as short_lists,
        calibrated_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join calibrated_means on calibrated_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        calibrated_asked.metric as metric,
        nullif(calibrated_report.k, 2147483646) as k,
        calibrated_asked.asked as asked,
        case calibrated_asked.number
            when 1 then calibrated_report.mean_calibration_js
        end as value,
        case calibrated_asked.number
            when 1 then calibrated_report.users_calibration_js
        end as users,
        'recs' as population,
        calibrated_report.users_evaluated as users_evaluated,
        calibrated_report.users_without_list as users_without_list,
        calibrated_report.short_lists as short_lists,
        calibrated_report.ties_at_cutoff as ties_at_cutoff,
        calibrated_report.unjudged_lists as unjudged_lists,
        calibrated_report.repeated_rows as repeated_rows,
        calibrated_report.faults as faults
    from calibrated_report
    join calibrated_asked on calibrated_asked.k = calibrated_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
