-- RBO weight: the share of the total weight of rank-biased overlap that is on the depths which both
-- lists reach, from 0 to 1. rbo_weight@10.
-- Reads recs (user_id, item_id, score) and baseline (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The baseline's lists from the best score down; equal scores by item.
baseline_listed as (
    select user_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from baseline
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The ranks of both lists.
ranks_of_both as (
    select user_id, rank as depth
    from listed
    where rank <= 10
    union all
    select recommended_lists.user_id, baseline_listed.rank as depth
    from recommended_lists
    join baseline_listed
        on baseline_listed.user_id = recommended_lists.user_id and baseline_listed.rank <= 10
),

-- The number of items that are in both lists for the first time at each depth.
met_at_depths as (
    select user_id, cast(depth as double) as depth, count(*) as lists
    from ranks_of_both
    group by user_id, depth
),

-- The overlap of the two lists down to each depth.
list_overlap as (
    select user_id, depth,
        power(0.9e0, least(depth, 2048)) / depth as weight_0p9,
        cast(sum(lists - 1) over (partition by user_id) as double) as shorter
    from met_at_depths
),

list_overlap_values as (
    select
        case
            when shorter > 0
                then least(
                    1 - power(0.9e0, least(shorter - 1, 2048))
                    + (1 - 0.9e0) / 0.9e0 * shorter * greatest(
                        least(
                            -ln(1 - 0.9e0) - sum(
                                case when depth < shorter then weight_0p9 else 0 end
                            ),
                            power(0.9e0, least(shorter, 2048)) / (shorter * (1 - 0.9e0))
                        ),
                        0
                    ),
                    1
                )
            else 0
        end as rbo_weight  -- Webber, Moffat & Zobel 2010
    from list_overlap
    group by user_id, shorter
)

select avg(rbo_weight) as value, count(rbo_weight) as users
from list_overlap_values
