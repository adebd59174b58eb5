-- The mean over users of alpha_ndcg@10.
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

described as (
    select
        item_id,
        aspect,
        case when item_id is null then 1 else 0 end as faults
    from items
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

item_aspects as (
    select item_id, aspect
    from described
    where aspect is not null
    group by item_id, aspect
),

aspect_hits as (
    select
        listed.user_id as user_id,
        listed.rank as rank,
        1 / (ln(listed.rank + 1) / ln(cast(2 as double))) as discount,
        count(*) over (
            partition by listed.user_id, item_aspects.aspect
            order by listed.rank asc rows between unbounded preceding and current row
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where relevant.relevant > 0 and listed.rank <= 10
),

-- What there is to choose from, in the order of ids, and one row that is never used up.
ideal_alpha_dcg_0_5_items as (
    select
        numbered.user_id as user_id,
        numbered.number as number,
        item_aspects.aspect as aspect,
        cast(1 as double) as weight,
        cast(0 as double) as dcg
    from (
        select
            user_id,
            item_id,
            row_number() over (partition by user_id order by item_id asc) as number
        from relevant
        where relevant > 0
    ) as numbered
    join item_aspects on item_aspects.item_id = numbered.item_id
    union all
    select
        user_id,
        0 as number,
        null as aspect,
        cast(0 as double) as weight,
        cast(0 as double) as dcg
    from judged_users
    where relevant_items > 0
),

ideal_alpha_dcg_0_5_place_1 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(2 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                weight,
                dcg,
                sum(weight) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_items
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_2 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(3 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_1
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_3 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(4 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_2
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_4 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(5 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_3
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_5 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(6 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_4
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_6 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(7 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_5
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_7 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(8 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_6
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_8 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(9 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_7
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_9 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(10 as double)) / ln(cast(2 as double))) as dcg,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_8
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_10 as (
    select
        user_id,
        number,
        aspect,
        weight,
        dcg + best_gain / (ln(cast(11 as double)) / ln(cast(2 as double))) as dcg_10,
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * cast(1099511627776 as double) + cast('0.5' as double)) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_9
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5 as (
    select user_id, dcg_10
    from ideal_alpha_dcg_0_5_place_10
    where number = 0
),

aspected as (
    select
        evaluated.user_id as user_id,
        evaluated.k as k,
        evaluated.list_length as list_length,
        evaluated.tied as tied,
        case evaluated.k
            when 10 then nullif(ideal_alpha_dcg_0_5.dcg_10, 0)
        end as ideal_alpha_dcg_0_5,
        coalesce(aspect_hits.rank, 2147483647) as rank,
        case
            when aspect_hits.rank > 0 then cast(1 as double)
            else cast(0 as double)
        end as aspects,
        coalesce(aspect_hits.earlier_hits, 0) as earlier_hits,
        coalesce(aspect_hits.discount, 0) as discount
    from evaluated
    left join aspect_hits
        on aspect_hits.user_id = evaluated.user_id
        and aspect_hits.rank <= evaluated.k
    left join ideal_alpha_dcg_0_5 on ideal_alpha_dcg_0_5.user_id = evaluated.user_id
    where evaluated.k in (10)
),

aspected_values as (
    select
        user_id,
        k,
        list_length,
        tied,
        ideal_alpha_dcg_0_5,
        sum(aspects * case when earlier_hits * ln(cast('0.5' as double)) > -500 then power(cast('0.5' as double), earlier_hits) else 0 end * discount) / ideal_alpha_dcg_0_5 as alpha_ndcg
    from aspected
    group by user_id, k, list_length, tied, ideal_alpha_dcg_0_5
),

aspected_means as (
    select
        k,
        count(*) as users_evaluated,
        cast(sum(case when list_length = 0 then 1 else 0 end) as bigint) as users_without_list,
        cast(
            sum(case when list_length < k then 1 else 0 end)
            as bigint
        ) as short_lists,
        cast(sum(tied) as bigint) as ties_at_cutoff,
        avg(alpha_ndcg) as mean_alpha_ndcg,
        count(alpha_ndcg) as users_alpha_ndcg
    from aspected_values
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
        select cast(faults as bigint) as faults from described
    ) as all_faults
),

aspected_asked as (
    select 'alpha_ndcg' as metric, 'alpha_ndcg@10' as asked, 1 as number, cast(10 as bigint) as k
),

aspected_report as (
    select
        cutoffs.k as k,
        aspected_means.mean_alpha_ndcg as mean_alpha_ndcg,
        coalesce(aspected_means.users_alpha_ndcg, 0) as users_alpha_ndcg,
        coalesce(aspected_means.users_evaluated, 0) as users_evaluated,
        aspected_means.users_without_list as users_without_list,
        aspected_means.short_lists as short_lists,
        aspected_means.ties_at_cutoff as ties_at_cutoff,
        cast(coalesce(unjudged.unjudged_lists, 0) as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join aspected_means on aspected_means.k = cutoffs.k
    left join unjudged on unjudged.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        aspected_asked.metric as metric,
        nullif(aspected_report.k, 2147483646) as k,
        aspected_asked.asked as asked,
        case aspected_asked.number
            when 1 then aspected_report.mean_alpha_ndcg
        end as value,
        case aspected_asked.number
            when 1 then aspected_report.users_alpha_ndcg
        end as users,
        'truth' as population,
        aspected_report.users_evaluated as users_evaluated,
        aspected_report.users_without_list as users_without_list,
        aspected_report.short_lists as short_lists,
        aspected_report.ties_at_cutoff as ties_at_cutoff,
        aspected_report.unjudged_lists as unjudged_lists,
        aspected_report.repeated_rows as repeated_rows,
        aspected_report.faults as faults
    from aspected_report
    join aspected_asked on aspected_asked.k = aspected_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
