-- Expected exposure disparity: how unequally a list gives attention to items, from 0 up.
-- expected_exposure_disparity@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id), all of it relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(1 as double) as relevance, cast(1 as double) as is_relevant
    from truth
),

-- Who is averaged over: users with relevant items.
evaluated as (select distinct user_id from relevant),

wanted_grades as (
    select user_id, relevance
    from relevant
    where is_relevant > 0
    group by user_id, relevance
),

attended_places as (
    select listed.user_id, listed.rank
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

attended as (
    select evaluated.user_id, attended_places.rank
    from evaluated
    left join attended_places on attended_places.user_id = evaluated.user_id
    union all
    select evaluated.user_id, cast(null as bigint) as rank
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
),

attended_values as (
    select user_id,
        coalesce(
            sum(
                case
                    when rank > 0
                        then power(cast('0.5' as double), least(rank - 1, 256))
                        * power(cast('0.5' as double), least(rank - 1, 256))
                end
            ),
            0
        ) as expected_exposure_disparity  -- Diaz et al. 2020
    from attended
    group by user_id
)

select avg(expected_exposure_disparity) as value, count(expected_exposure_disparity) as users
from attended_values
