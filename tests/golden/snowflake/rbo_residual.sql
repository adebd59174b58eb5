-- RBO residual: how much the rank-biased overlap may still grow with what two lists don't show,
-- from 0 to 1. rbo_residual@10.
-- Reads recs (user_id, item_id, score) and baseline (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The baseline's lists from the best score down; equal scores by item.
baseline_listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from baseline
),

-- How long each list is.
baseline_list_lengths as (
    select user_id, cast(sum(case when rank <= 10 then 1 else 0 end) as bigint) as places_10
    from baseline_listed
    group by user_id
),

-- Who has a list, and how long it is.
shown_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- The places of both lists, each with the other's place for the same item.
places_of_both as (
    select listed.user_id, 1 as own, listed.rank as place, baseline_listed.rank as partner
    from listed
    left join baseline_listed
        on baseline_listed.user_id = listed.user_id and baseline_listed.item_id = listed.item_id
    union all
    select shown_lists.user_id, 0 as own, baseline_listed.rank as place, listed.rank as partner
    from shown_lists
    join baseline_listed on baseline_listed.user_id = shown_lists.user_id
    left join listed
        on listed.user_id = shown_lists.user_id and listed.item_id = baseline_listed.item_id
),

pairs_of_lengths as (
    select shown_lists.user_id, shown_lists.list_length,
        coalesce(baseline_list_lengths.places_10, 0) as baseline_length
    from shown_lists
    left join baseline_list_lengths on baseline_list_lengths.user_id = shown_lists.user_id
),

pairs_of_lists as (
    select user_id, list_length, baseline_length,
        cast(least(list_length, baseline_length) as double) as shorter,
        cast(greatest(list_length, baseline_length) as double) as longer
    from pairs_of_lengths
),

-- Two lists meet in an item where the second of them has it.
met_at_depths as (
    select user_id, list_length, baseline_length, shorter, longer, depth, sum(met) as met
    from (
        select pairs_of_lists.user_id, pairs_of_lists.list_length, pairs_of_lists.baseline_length,
            pairs_of_lists.shorter, pairs_of_lists.longer,
            cast(places_of_both.place + sides.beyond * pairs_of_lists.longer as double) as depth,
            case
                when sides.beyond = 1 then cast(0 as double)
                when places_of_both.own = 1
                    and places_of_both.partner <= places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.baseline_length
                    then cast(1 as double)
                when places_of_both.own = 0
                    and places_of_both.partner < places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.list_length
                    then cast(1 as double)
                else cast(0 as double)
            end as met
        from pairs_of_lists
        join places_of_both on places_of_both.user_id = pairs_of_lists.user_id
        cross join (select 0 as beyond union all select 1 as beyond) as sides
        where places_of_both.place <= case places_of_both.own
            when 1 then pairs_of_lists.list_length
            else pairs_of_lists.baseline_length
        end
            and (
                sides.beyond = 0 or places_of_both.own = case
                    when pairs_of_lists.list_length <= pairs_of_lists.baseline_length then 1
                    else 0
                end
            )
    ) as met_places
    group by user_id, list_length, baseline_length, shorter, longer, depth
),

overlapped as (
    select user_id, list_length, baseline_length, shorter, longer, depth,
        sum(met) over (
            partition by user_id order by depth asc rows between unbounded preceding and current row
        ) as overlap,
        sum(met) over (partition by user_id) as common,
        longer + shorter - sum(met) over (partition by user_id) as last_depth
    from met_at_depths
),

overlapped_values as (
    select user_id, shorter, longer, common, last_depth,
        power(cast('0.9' as double), least(shorter, 2048))
        + power(cast('0.9' as double), least(longer, 2048))
        - power(cast('0.9' as double), least(last_depth, 2048))
        - cast('0.11111111111111108' as double) * (
            shorter * sum(
                case
                    when depth > shorter and depth <= last_depth
                        then power(cast('0.9' as double), least(depth, 2048)) / depth
                    else 0
                end
            )
            + longer * sum(
                case
                    when depth > longer and depth <= last_depth
                        then power(cast('0.9' as double), least(depth, 2048)) / depth
                    else 0
                end
            )
            + common * case
                when (
                    -ln(cast('0.09999999999999998' as double)) - sum(
                        case
                            when depth <= last_depth
                                then power(cast('0.9' as double), least(depth, 2048)) / depth
                            else 0
                        end
                    )
                ) > 0
                    then least(
                        (
                            -ln(cast('0.09999999999999998' as double)) - sum(
                                case
                                    when depth <= last_depth
                                        then power(
                                            cast('0.9' as double), least(depth, 2048)
                                        ) / depth
                                    else 0
                                end
                            )
                        ),
                        power(cast('0.9' as double), least(last_depth + 1, 2048))
                        / ((last_depth + 1) * cast('0.09999999999999998' as double))
                    )
                else 0
            end
        ) as rbo_residual  -- Webber, Moffat & Zobel 2010
    from overlapped
    group by user_id, shorter, longer, common, last_depth
)

select avg(rbo_residual) as value, count(rbo_residual) as users
from overlapped_values
