-- Expected exposure loss: the squared distance between the exposure that items get and the exposure
-- that they deserve, at least 0. expected_exposure_loss@10.
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

-- The population, with the list length and the totals of each user.
evaluated_users as (
    select truth_users.user_id, truth_users.relevant_items
    from truth_users
    where truth_users.relevant_items > 0
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
        ) * (1 - power(0.5e0, least(count(*), 256))) / (count(*) * 0.5e0) as deserved_0p5,
        cast(count(*) as double) as equal_items
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

-- The population, with the ranks of each user's list and the grades of the relevant items.
list_attention as (
    select evaluated_users.user_id, evaluated_users.relevant_items,
        list_attention_ranks.attention_0p5, list_attention_ranks.deserved_0p5,
        cast(null as double) as equal_items
    from evaluated_users
    left join list_attention_ranks on list_attention_ranks.user_id = evaluated_users.user_id
    union all
    select evaluated_users.user_id, evaluated_users.relevant_items,
        cast(null as double) as attention_0p5, truth_grades.deserved_0p5, truth_grades.equal_items
    from evaluated_users
    join truth_grades on truth_grades.user_id = evaluated_users.user_id
),

list_attention_values as (
    select
        case
            when relevant_items > 0
                then abs(
                    coalesce(
                        sum(attention_0p5 * (attention_0p5 - 2 * coalesce(deserved_0p5, 0))), 0
                    ) + sum(equal_items * deserved_0p5 * deserved_0p5)
                )
        end as expected_exposure_loss  -- Diaz et al. 2020
    from list_attention
    group by user_id, relevant_items
)

select avg(expected_exposure_loss) as value, count(expected_exposure_loss) as users
from list_attention_values
