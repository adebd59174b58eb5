-- Matched share: the share of the logged decisions that the other policy could have taken, from 0
-- to 1. matched_share@10.
-- Reads recs (user_id, item_id, score) and logs (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Every logged decision.
decisions_taken as (select user_id, item_id from logs),

decisions as (select user_id, item_id from decisions_taken),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select listed.rank as rank, decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed on listed.user_id = decisions.user_id and listed.item_id = decisions.item_id
),

logged as (
    select
        cast(
            case when decisions_counted.rank <= 10 then 1 else 0 end as double
        ) as target_probability
    from decisions_counted
),

logged_values as (
    select
        -- none
        favg(cast(case when target_probability > 0 then 1 else 0 end as double)) as matched_share
    from logged
)

select matched_share as value, cast(null as bigint) as users
from logged_values
