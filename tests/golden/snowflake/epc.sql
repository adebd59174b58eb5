-- EPC: expected popularity complement: how little known the relevant items of the list are, as the
-- share of users who have not had them, weighted by rank, from 0 to 1. epc@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id, relevance) and history (user_id, item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- The number of users with each item.
item_counts as (
    select item_id, count(*) as item_users
    from interactions
    group by item_id
),

-- The size of the history.
history_counts as (select count(distinct user_id) as history_users from interactions),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        cast(coalesce(item_counts.item_users, 0) as double) as item_users,
        cast(history_counts.history_users as double) as history_users,
        coalesce(relevant.is_relevant, 0) as hit, 1 / log(2, listed.rank + 1) as discount
    from listed
    left join item_counts on item_counts.item_id = listed.item_id
    cross join history_counts
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        case
            when relevant_items > 0
                then sum(
                    discount * hit * (1 - item_users / nullif(history_users, 0))
                ) / sum(discount)
        end as epc  -- Vargas & Castells 2011
    from recommended_items
    group by user_id, relevant_items, history_users
)

select avg(epc) as value, count(epc) as users
from recommended_items_values
