-- R2: how much of the variance of the grades the scores predict, of any size up to 1. r2@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        case
            when cast(relevance as double) > 0 then cast(1 as double)
            else cast(0 as double)
        end as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- How long each list is.
list_lengths as (
    select user_id,
        cast(
            bit_count(
                bit_or(
                    case when rank between 1 and 62 then cast(1 as bigint) << rank else 0 end
                ) & 2047
            ) as bigint
        ) as places_10
    from listed
    group by user_id
),

shown_lists as (
    select list_lengths.user_id
    from list_lengths
    where list_lengths.places_10 > 0
),

rated_items as (
    select listed.user_id, listed.rank as rank, listed.score as score, relevant.grade as grade,
        relevant.is_relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null
),

pooled_places as (
    select shown_lists.user_id, rated_items.rank as rank, rated_items.score as score,
        rated_items.grade as grade, rated_items.relevant as relevant
    from shown_lists
    join rated_items on rated_items.user_id = shown_lists.user_id and rated_items.rank <= 10
),

pooled as (
    select cast(score as double) as predicted, favg(grade) over () as mean_grade, grade, relevant
    from pooled_places
),

pooled_values as (
    select
        case
            when min(grade) < max(grade)
                then 1
                - sum(
                    case
                        when abs(predicted - grade) > cast('1e-150' as double)
                            and abs(predicted - grade) > cast('1e-150' as double)
                            then (predicted - grade) * (predicted - grade)
                        else cast(0 as double)
                    end
                )
                / nullif(
                    sum(
                        case
                            when abs(mean_grade - grade) > cast('1e-150' as double)
                                and abs(mean_grade - grade) > cast('1e-150' as double)
                                then (mean_grade - grade) * (mean_grade - grade)
                            else cast(0 as double)
                        end
                    ),
                    0
                )
        end as r2  -- Draper & Smith 1998
    from pooled
)

select r2 as value, cast(null as bigint) as users
from pooled_values
