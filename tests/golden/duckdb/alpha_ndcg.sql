-- Alpha-NDCG: how near a list is to the best list where a hit counts for less the more hits above
-- are of its aspects, from 0 to 1. alpha_ndcg@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id), all of it relevant and
-- items (item_id, aspect).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- What each user of the truth has.
truth_users as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- Who is averaged over: truth.
evaluated as (select truth_users.user_id, truth_users.relevant_items from truth_users),

item_aspects as (select distinct item_id, aspect from items where aspect is not null),

aspect_hits as (
    select listed.user_id, listed.rank as rank, 1 / log2(listed.rank + 1) as discount,
        count(*) over (
            partition by listed.user_id, item_aspects.aspect order by listed.rank asc
            rows between unbounded preceding and current row
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where relevant.is_relevant > 0 and listed.rank <= 10
),

-- What there is to choose from, in the order of ids, and one row that is never used up.
ideal_alpha_dcg_0_5_items as (
    select numbered.user_id as user_id, numbered.number as number, item_aspects.aspect as aspect,
        cast(1 as double) as weight, cast(0 as double) as dcg
    from (
        select user_id, item_id,
            row_number() over (partition by user_id order by item_id asc) as number
        from relevant
        where is_relevant > 0
    ) as numbered
    join item_aspects on item_aspects.item_id = numbered.item_id
    union all
    select user_id, 0 as number, null as aspect, cast(0 as double) as weight,
        cast(0 as double) as dcg
    from truth_users
    where relevant_items > 0
),

ideal_alpha_dcg_0_5_place_1 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(2 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect, weight, dcg,
                sum(weight) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_items
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_2 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(3 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_1
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_3 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(4 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_2
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_4 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(5 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_3
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_5 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(6 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_4
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_6 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(7 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_5
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_7 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(8 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_6
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_8 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(9 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_7
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_9 as materialized (
    select user_id, number, aspect, weight, dcg + best_gain / log2(cast(10 as double)) as dcg,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
            from ideal_alpha_dcg_0_5_place_8
            where number = 0 or number <> best_number
        ) as gains
    ) as best_items
),

ideal_alpha_dcg_0_5_place_10 as materialized (
    select user_id, number, aspect, weight,
        dcg + best_gain / log2(cast(11 as double)) as dcg_10,
        best_number,
        max(
            case when number = best_number then 1 else 0 end
        ) over (partition by user_id, aspect) as held
    from (
        select user_id, number, aspect, weight, dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by floor(
                    gain * cast(1099511627776 as double) + cast('0.5' as double)
                ) desc, number desc rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select user_id, number, aspect,
                case
                    when held = 0 then weight
                    when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                    else 0
                end as weight,
                dcg,
                sum(
                    case
                        when held = 0 then weight
                        when weight > cast('1e-250' as double) then weight * cast('0.5' as double)
                        else 0
                    end
                ) over (partition by user_id, number) as gain
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
    select evaluated.user_id,
        nullif(ideal_alpha_dcg_0_5.dcg_10, 0) as ideal_alpha_dcg_0_5,
        coalesce(aspect_hits.rank, 2147483647) as rank,
        case when aspect_hits.rank > 0 then cast(1 as double) else cast(0 as double) end as aspects,
        coalesce(aspect_hits.earlier_hits, 0) as earlier_hits,
        coalesce(aspect_hits.discount, 0) as discount
    from evaluated
    left join aspect_hits on aspect_hits.user_id = evaluated.user_id and aspect_hits.rank <= 10
    left join ideal_alpha_dcg_0_5 on ideal_alpha_dcg_0_5.user_id = evaluated.user_id
),

aspected_values as (
    select user_id, ideal_alpha_dcg_0_5,
        sum(
            aspects * case
                when earlier_hits * ln(cast('0.5' as double)) > -500
                    then power(cast('0.5' as double), earlier_hits)
                else 0
            end * discount
        ) / ideal_alpha_dcg_0_5 as alpha_ndcg  -- Clarke et al. 2008
    from aspected
    group by user_id, ideal_alpha_dcg_0_5
)

select avg(alpha_ndcg) as value, count(alpha_ndcg) as users
from aspected_values
