-- Average overlap: the share of items that the first d ranks of two lists for the same user have in
-- common, averaged over all depths d, from 0 to 1. average_overlap@10.
-- Reads recs (user_id, item_id, score) and baseline (user_id, item_id, score).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The baseline's lists from the best score down.
baseline_listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
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

-- Each rank; met is 1 for the second rank of an item, from which both lists contain it.
met_ranks as (
    select user_id, depth,
        row_number() over (partition by user_id, item_id order by depth asc, own asc) - 1 as met
    from ranks_of_both
),

-- The number of items that are in both lists for the first time at each depth.
met_at_depths as (
    select user_id, cast(depth as double) as depth, cast(sum(met) as double) as met
    from met_ranks
    group by user_id, depth
),

-- The overlap of the two lists down to each depth.
list_overlap as (
    select user_id, depth,
        sum(met) over (
            partition by user_id order by depth asc rows between unbounded preceding and current row
        ) as overlap,
        cast(sum(1) over (partition by user_id) as double) as longer
    from met_at_depths
),

list_overlap_values as (
    select
        sum(overlap / depth) / longer as average_overlap  -- Fagin et al. 2003
    from list_overlap
    group by user_id, longer
)

select avg(average_overlap) as value, count(average_overlap) as users
from list_overlap_values
