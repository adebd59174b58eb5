-- Expected exposure relevance: how much exposure a list gives to items that deserve it, at least 0.
-- expected_exposure_relevance@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(relevance as double)
            else 0
        end as relevance,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each user's relevant items by grade, with the attention that one of them deserves.
truth_grades as (
    select user_id, relevance,
        power(
            0.5e0,
            least(
                sum(count(*)) over (
                    partition by user_id order by relevance desc
                    rows between unbounded preceding and current row
                ) - count(*),
                256
            )
        ) * (1 - power(0.5e0, least(count(*), 256))) / (count(*) * 0.5e0) as deserved_0p5
    from relevant
    where is_relevant > 0
    group by user_id, relevance
),

-- The ranks of lists, with the attention that each gets.
list_attention_ranks as (
    select listed.user_id,
        power(0.5e0, least(listed.rank - 1, 256)) as attention_0p5,
        truth_grades.deserved_0p5
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_grades
        on truth_grades.user_id = relevant.user_id and truth_grades.relevance = relevant.relevance
    where listed.rank <= 10
),

-- The population, with the ranks of each user's list.
list_attention_values as (
    select
        case
            when truth_users.relevant_items > 0
                then coalesce(
                    sum(list_attention_ranks.attention_0p5 * list_attention_ranks.deserved_0p5), 0
                )
        end as expected_exposure_relevance  -- Diaz et al. 2020
    from truth_users
    left join list_attention_ranks on list_attention_ranks.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
    group by truth_users.user_id, truth_users.relevant_items
)

select avg(expected_exposure_relevance) as value, count(expected_exposure_relevance) as users
from list_attention_values
