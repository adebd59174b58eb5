-- Expected exposure disparity: how unequally a list distributes exposure over items, from 0 up.
-- expected_exposure_disparity@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id from truth),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- The places of lists, with the attention that each gets.
attended_places as (
    select listed.user_id,
        power(cast('0.5' as double), least(listed.rank - 1, 256)) as attention_0p5
    from listed
    where listed.rank <= 10
),

-- The population, with the places of each user's list.
attended as (
    select evaluated.user_id, attended_places.attention_0p5
    from evaluated
    left join attended_places on attended_places.user_id = evaluated.user_id
),

attended_values as (
    select user_id,
        -- Diaz et al. 2020
        coalesce(sum(attention_0p5 * attention_0p5), 0) as expected_exposure_disparity
    from attended
    group by user_id
)

select avg(expected_exposure_disparity) as value, count(expected_exposure_disparity) as users
from attended_values
