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

-- Every logged decision.
decisions as (select user_id, item_id from logs),

-- The number of decisions.
decision_counts as (select count(*) as counted from decisions),

-- Each decision, with the sums of its user and of all decisions.
logged as (
    select
        cast(case when listed.rank <= 10 then 1 else 0 end as double) as target_probability,
        decision_counts.counted as users_evaluated
    from decisions
    cross join decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged_values as (
    select users_evaluated,
        favg(cast(case when target_probability > 0 then 1 else 0 end as double)) as matched_share
    from logged
    group by users_evaluated
)

select matched_share as value,
    cast(case when matched_share is null then 0 else users_evaluated end as bigint) as users
from logged_values
