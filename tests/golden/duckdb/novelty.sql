-- Novelty: the share of the list that is not in the user's history, from 0 to 1. novelty@10.
-- Reads recs (user_id, item_id, score) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        cast(case when interactions.item_id is not null then 1 else 0 end as double) as seen
    from listed
    left join interactions
        on interactions.user_id = listed.user_id and interactions.item_id = listed.item_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(1 - seen) / list_length as novelty  -- RePlay 0.22
    from recommended_items
    group by user_id, list_length
)

select avg(novelty) as value, count(novelty) as users
from recommended_items_values
