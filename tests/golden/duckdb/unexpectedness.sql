-- Unexpectedness: the share of the list that is not in the baseline's list within k, from 0 to 1.
-- unexpectedness@10.
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

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(case when baseline_firsts.rank <= 10 then 1 else 0 end as double) as expected
    from listed
    left join baseline_listed as baseline_firsts
        on baseline_firsts.user_id = listed.user_id and baseline_firsts.item_id = listed.item_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        1 - sum(expected) / list_length as unexpectedness  -- Murakami et al. 2008
    from recommended_items
    group by user_id, list_length
)

select avg(unexpectedness) as value, count(unexpectedness) as users
from recommended_items_values
