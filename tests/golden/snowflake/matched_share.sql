-- Matched share: the share of the logged decisions that the evaluated policy could have made, from
-- 0 to 1. matched_share@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each decision, with the place of its item in the list.
logged as (
    select cast(case when listed.rank <= 10 then 1 else 0 end as double) as target_probability
    from logs
    left join listed on listed.user_id = logs.user_id and listed.item_id = logs.item_id
),

logged_values as (
    select avg(cast(case when target_probability > 0 then 1 else 0 end as double)) as matched_share
    from logged
)

select matched_share as value, cast(null as bigint) as users
from logged_values
