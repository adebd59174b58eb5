-- Churn: the share of the places of two lists for the same user that changed, from 0 to 1.
-- churn@10.
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

-- How long each list of the baseline is.
baseline_list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as places_10
    from baseline_listed
    group by user_id
),

-- The first 10 places of each list, with what is known about their items.
shown as (
    select listed.user_id,
        coalesce(baseline_list_lengths.places_10, 0) as baseline_length,
        cast(case when baseline_listed.rank <= 10 then 1 else 0 end as double) as expected,
        count(*) over (partition by listed.user_id) as list_length
    from listed
    left join baseline_listed
        on baseline_listed.user_id = listed.user_id and baseline_listed.item_id = listed.item_id
    left join baseline_list_lengths on baseline_list_lengths.user_id = listed.user_id
    where listed.rank <= 10
),

shown_values as (
    select user_id, list_length, baseline_length,
        1 - 2 * sum(expected) / (list_length + baseline_length) as churn  -- Sorensen 1948
    from shown
    group by user_id, list_length, baseline_length
)

select avg(churn) as value, count(churn) as users
from shown_values
