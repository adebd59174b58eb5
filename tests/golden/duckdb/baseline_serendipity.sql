-- Baseline serendipity: the share of the list that is relevant and not in the baseline's list, both
-- within k, from 0 to 1. baseline_serendipity@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and baseline (user_id, item_id,
-- score). Each row of truth is relevant.
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The baseline's lists from the best score down.
baseline_listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from baseline
),

-- The users with a list, and its length.
recommended_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- Each rank, with columns of the baseline's list at the cutoff.
recommended_items as (
    select listed.user_id, coalesce(relevant.is_relevant, 0) as hit,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        recommended_lists.list_length,
        cast(case when baseline_firsts.rank <= 10 then 1 else 0 end as double) as expected
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    left join baseline_listed as baseline_firsts
        on baseline_firsts.user_id = listed.user_id and baseline_firsts.item_id = listed.item_id
    left join recommended_lists on recommended_lists.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        case
            when relevant_items > 0 then sum(hit * (1 - expected)) / list_length
        end as baseline_serendipity  -- Ge et al. 2010
    from recommended_items
    group by user_id, list_length, relevant_items
)

select avg(baseline_serendipity) as value, count(baseline_serendipity) as users
from recommended_items_values
