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
    select user_id, relevance,
        cast(
            sum(graded_items) over (
                partition by user_id order by relevance desc
                rows between unbounded preceding and current row
            ) - graded_items as double
        ) as better_items,
        cast(graded_items as double) as equal_items
    from (
        select user_id, relevance, count(*) as graded_items
        from relevant
        where is_relevant > 0
        group by user_id, relevance
    ) as grades
),

attended_places as (
    select listed.user_id, listed.rank as rank, coalesce(relevant.is_relevant, 0) as hit,
        wanted_grades.better_items as better_items, wanted_grades.equal_items as equal_items
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id and wanted_grades.relevance = relevant.relevance
    where listed.rank <= 10
),

attended as (
    select evaluated.user_id, attended_places.rank as rank, attended_places.hit as hit,
        attended_places.better_items as better_items, attended_places.equal_items as equal_items
    from evaluated
    left join attended_places on attended_places.user_id = evaluated.user_id
    union all
    select evaluated.user_id, cast(null as bigint) as rank, cast(null as double) as hit,
        wanted_grades.better_items as better_items, wanted_grades.equal_items as equal_items
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
),

attended_values as (
    select user_id,
        coalesce(
            sum(
                case
                    when (cast(rank - 1 as double)) * ln(cast('0.5' as double)) > -700
                        then power(cast('0.5' as double), cast(rank - 1 as double))
                    else cast(0 as double)
                end
                * case
                    when (cast(rank - 1 as double)) * ln(cast('0.5' as double)) > -700
                        then power(cast('0.5' as double), cast(rank - 1 as double))
                    else cast(0 as double)
                end
            ),
            0
        ) as expected_exposure_disparity  -- Diaz et al. 2020
    from attended
    group by user_id
)

select avg(expected_exposure_disparity) as value, count(expected_exposure_disparity) as users
from attended_values
