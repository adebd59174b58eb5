-- Expected exposure loss: the squared distance between the exposure that items get and the exposure
-- that they deserve, from 0 up. expected_exposure_loss@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(relevance as double) as relevance
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- Each user's relevant items by grade, with the attention that one of them deserves.
wanted_grades as (
    select user_id, relevance, cast(count(*) as double) as equal_items,
        power(
            cast('0.5' as double),
            least(
                sum(count(*)) over (
                    partition by user_id order by relevance desc
                    rows between unbounded preceding and current row
                ) - count(*),
                256
            )
        ) * (1 - power(cast('0.5' as double), least(count(*), 256)))
        / (count(*) * cast('0.5' as double)) as deserved_0p5
    from relevant
    group by user_id, relevance
),

-- The places of lists, with the attention that each gets.
attended_places as (
    select listed.user_id,
        power(cast('0.5' as double), least(listed.rank - 1, 256)) as attention_0p5,
        wanted_grades.deserved_0p5
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id and wanted_grades.relevance = relevant.relevance
    where listed.rank <= 10
),

-- The population, with the places of each user's list and the grades of the relevant items.
attended as (
    select evaluated.user_id, evaluated.relevant_items, attended_places.attention_0p5,
        attended_places.deserved_0p5, cast(null as double) as equal_items
    from evaluated
    left join attended_places on attended_places.user_id = evaluated.user_id
    union all
    select evaluated.user_id, evaluated.relevant_items, cast(null as double) as attention_0p5,
        wanted_grades.deserved_0p5, wanted_grades.equal_items
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
),

attended_values as (
    select user_id, relevant_items,
        case
            when relevant_items > 0
                then abs(
                    coalesce(
                        sum(attention_0p5 * (attention_0p5 - 2 * coalesce(deserved_0p5, 0))), 0
                    ) + sum(equal_items * deserved_0p5 * deserved_0p5)
                )
        end as expected_exposure_loss  -- Diaz et al. 2020
    from attended
    group by user_id, relevant_items
)

select avg(expected_exposure_loss) as value, count(expected_exposure_loss) as users
from attended_values
