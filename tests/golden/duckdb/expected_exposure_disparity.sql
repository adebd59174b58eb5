-- Expected exposure disparity: how unequally a list distributes exposure over items, at least 0.
-- expected_exposure_disparity@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). Each row of truth is relevant.
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

-- The ranks of lists, with the attention that each rank gets.
list_attention_ranks as (
    select listed.user_id, power(0.5e0, least(listed.rank - 1, 256)) as attention_0p5
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The population, with the ranks of each user's list.
list_attention_values as (
    select
        coalesce(
            sum(list_attention_ranks.attention_0p5 * list_attention_ranks.attention_0p5), 0
        ) as expected_exposure_disparity  -- Diaz et al. 2020
    from truth_users
    left join list_attention_ranks on list_attention_ranks.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
    group by truth_users.user_id
)

select avg(expected_exposure_disparity) as value, count(expected_exposure_disparity) as users
from list_attention_values
