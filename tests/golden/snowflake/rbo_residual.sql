-- RBO residual: how much the rank-biased overlap could still grow with items past the ends of the
-- two lists, from 0 to 1. rbo_residual@10.
-- Reads recs (user_id, item_id, score) and baseline (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The baseline's lists from the best score down; equal scores by item.
baseline_listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from baseline
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The ranks of both lists.
ranks_of_both as (
    select user_id, item_id, rank as depth, 1 as own
    from listed
    where rank <= 10
    union all
    select recommended_lists.user_id, baseline_listed.item_id, baseline_listed.rank as depth,
        0 as own
    from recommended_lists
    join baseline_listed
        on baseline_listed.user_id = recommended_lists.user_id and baseline_listed.rank <= 10
),

-- Each rank; met is 1 for the second rank of an item, which both lists then have.
met_ranks as (
    select user_id, depth,
        row_number() over (partition by user_id, item_id order by depth asc, own asc) - 1 as met
    from ranks_of_both
),

-- The number of items that are in both lists for the first time at each depth.
met_at_depths as (
    select user_id, cast(depth as double) as depth, cast(sum(met) as double) as met,
        count(*) as lists
    from met_ranks
    group by user_id, depth
),

-- The overlap of the two lists down to each depth.
list_overlap as (
    select user_id, depth,
        power(cast('0.9' as double), least(depth, 2048)) / depth as weight_0p9,
        sum(met) over (partition by user_id) as common,
        cast(sum(lists - 1) over (partition by user_id) as double) as shorter,
        cast(sum(1) over (partition by user_id) as double) as longer
    from met_at_depths
),

list_overlap_values as (
    select
        greatest(
            least(
                power(cast('0.9' as double), least(shorter, 2048))
                + power(cast('0.9' as double), least(longer, 2048))
                - power(cast('0.9' as double), least(shorter + longer - common, 2048))
                - (1 - cast('0.9' as double)) / cast('0.9' as double) * (
                    shorter * sum(
                        case when depth > shorter and depth <= longer then weight_0p9 else 0 end
                    )
                    + (shorter + longer - common)
                    * power(cast('0.9' as double), least(longer, 2048))
                    * sum(
                        case
                            when depth <= shorter - common
                                then weight_0p9 * depth / (longer + depth)
                            else 0
                        end
                    )
                    + common * greatest(
                        least(
                            -ln(1 - cast('0.9' as double))
                            - sum(case when depth <= longer then weight_0p9 else 0 end),
                            power(cast('0.9' as double), least(longer + 1, 2048))
                            / ((longer + 1) * (1 - cast('0.9' as double)))
                        ),
                        0
                    )
                ),
                1
            ),
            0
        ) as rbo_residual  -- Webber, Moffat & Zobel 2010
    from list_overlap
    group by user_id, shorter, longer, common
)

select avg(rbo_residual) as value, count(rbo_residual) as users
from list_overlap_values
