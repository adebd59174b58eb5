-- List Jaccard: the items that are in both of two lists for the same user, as a share of the items
-- in either, from 0 to 1. list_jaccard@10.
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

-- The length of each list of the baseline.
baseline_list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as ranks_10
    from baseline_listed
    group by user_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        coalesce(baseline_list_lengths.ranks_10, 0) as baseline_length,
        cast(case when baseline_firsts.rank <= 10 then 1 else 0 end as double) as expected
    from listed
    left join baseline_listed as baseline_firsts
        on baseline_firsts.user_id = listed.user_id and baseline_firsts.item_id = listed.item_id
    left join baseline_list_lengths on baseline_list_lengths.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        -- Jaccard 1912
        sum(expected) / (list_length + baseline_length - sum(expected)) as list_jaccard
    from recommended_items
    group by user_id, list_length, baseline_length
)

select avg(list_jaccard) as value, count(list_jaccard) as users
from recommended_items_values
