-- The mean over users of fcp@10.
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
        score,
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
        user_id, item_id, score, rank, unplaced, tied
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

agreed_items as (
    select
        user_id,
        rank,
        score,
        grade,
        case
            when
                lag(grade) over (partition by user_id order by grade asc, rank asc)
                = grade
            then 0
            else 1
        end as first_of_grade
    from rated_items
),

agreed_grades as (
    select
        user_id,
        rank,
        score,
        cast(sum(first_of_grade) over (partition by user_id order by grade asc, rank asc rows between unbounded preceding and current row) as double) - 1 as grade_number,
        cast(sum(first_of_grade) over (partition by user_id) as double) - 1 as last_number
    from agreed_items
),

-- Items with the same score and grade are one row.
agreed_places as (
    select
        shown_lists.user_id as user_id,
        shown_lists.k as k,
        shown_lists.list_length as list_length,
        shown_lists.tied as tied,
        agreed_grades.score as score,
        agreed_grades.grade_number as grade_number,
        agreed_grades.last_number as last_number,
        cast(count(*) as double) as alike
    from shown_lists
    join agreed_grades
        on agreed_grades.user_id = shown_lists.user_id
        and agreed_grades.rank <= shown_lists.k
    where shown_lists.k in (10)
    group by
        shown_lists.user_id, shown_lists.k, shown_lists.list_length, shown_lists.tied,
        agreed_grades.score, agreed_grades.grade_number, agreed_grades.last_number
),

agreed_ties as (
    select
        user_id, k, list_length, tied,
        score,
        grade_number,
        last_number,
        alike,
        sum(alike) over (partition by user_id, k, score) as same_score,
        sum(alike) over (partition by user_id, k, grade_number) as same_grade
    from agreed_places
),

-- What the digits of a number are worth, as far as a number can have them.
agreed_digits as (
    select cast(1 as double) as worth
    union all select cast(4 as double) as worth
),

agreed_numbers as (
    select
        agreed_ties.user_id as user_id,
        agreed_ties.k as k,
        agreed_ties.list_length as list_length,
        agreed_ties.tied as tied,
        agreed_digits.worth as worth,
        floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as higher_digits,
        floor(agreed_ties.grade_number / agreed_digits.worth)
        - 4 * floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as digit,
        agreed_ties.score as score,
        agreed_ties.alike as alike,
        agreed_ties.same_score as same_score,
        agreed_ties.same_grade as same_grade
    from agreed_ties
    cross join agreed_digits
    where agreed_digits.worth = 1 or agreed_digits.worth <= agreed_ties.last_number
),

-- Among equal scores the smaller digits come first, and find none of the larger.
agreed_counts as (
    select
        user_id, k, list_length, tied,
        worth,
        alike,
        same_score,
        same_grade,
        case digit
            when 0
            then
                sum(case when digit > 0 then alike else cast(0 as double) end) over (
                    partition by user_id, k, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            when 1
            then
                sum(case when digit > 1 then alike else cast(0 as double) end) over (
                    partition by user_id, k, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            when 2
            then
                sum(case when digit > 2 then alike else cast(0 as double) end) over (
                    partition by user_id, k, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            else cast(0 as double)
        end as partners
    from agreed_numbers
),

agreed_pairs as (
    select
        user_id, k, list_length, tied,
        sum(case when worth = 1 then alike else cast(0 as double) end) as items,
        sum(case when worth = 1 then alike * (same_score - 1) else cast(0 as double) end) / 2 as pairs_of_score,
        sum(case when worth = 1 then alike * (same_grade - 1) else cast(0 as double) end) / 2 as pairs_of_grade,
        sum(case when worth = 1 then alike * (alike - 1) else cast(0 as double) end) / 2 as tied_both,
        sum(alike * partners) as discordant
    from agreed_counts
    group by user_id, k, list_length, tied
),

agreed as (
    select
        user_id, k, list_length, tied,
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both - discordant as concordant,
        discordant,
        pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade,
        tied_both
    from agreed_pairs
),

agreed_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        sum(concordant) / nullif(sum(concordant + discordant), 0) as fcp,
        sum(concordant) as fcp_concordant,
        sum(discordant) as fcp_discordant
    from agreed
    group by user_id, k, list_length, tied
),

agreed_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        sum(fcp_concordant) / nullif(sum(fcp_concordant + fcp_discordant), 0) as mean_fcp,
        count(fcp) as users_fcp
    from agreed_values
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

agreed_asked as (
    select 'fcp' as metric, 'fcp@10' as asked, 1 as number, cast(10 as bigint) as k
),

agreed_report as (
    select
        cutoffs.k as k,
        agreed_means.mean_fcp as mean_fcp,
        coalesce(agreed_means.users_fcp, 0) as users_fcp,
        coalesce(agreed_means.users_evaluated, 0) as users_evaluated,
        agreed_means.users_without_list as users_without_list,
        agreed_means.short_lists as short_lists,
        agreed_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join agreed_means on agreed_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        agreed_asked.metric as metric,
        nullif(agreed_report.k, 2147483646) as k,
        agreed_asked.asked as asked,
        case agreed_asked.number
            when 1 then agreed_report.mean_fcp
        end as value,
        case agreed_asked.number
            when 1 then agreed_report.users_fcp
        end as users,
        'rated' as population,
        agreed_report.users_evaluated as users_evaluated,
        agreed_report.users_without_list as users_without_list,
        agreed_report.short_lists as short_lists,
        agreed_report.ties_at_cutoff as ties_at_cutoff,
        agreed_report.unjudged_lists as unjudged_lists,
        agreed_report.repeated_rows as repeated_rows,
        agreed_report.faults as faults
    from agreed_report
    join agreed_asked on agreed_asked.k = agreed_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
