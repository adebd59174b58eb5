-- FCP: the fraction of concordant pairs, those that scores and grades put in the same order, from 0
-- to 1. fcp@10.
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

-- Listed items that the truth grades, within the cutoff.
rated_items as (
    select listed.user_id, listed.rank, listed.score, relevant.grade,
        relevant.is_relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and listed.rank <= 10
),

-- Grades are numbered from the lowest.
agreed_items as (
    select user_id, rank, score,
        cast(
            dense_rank() over (partition by user_id order by grade asc) as double
        ) - 1 as grade_number
    from rated_items
),

-- Items with the same score and grade are one row.
agreed_places as (
    select agreed_items.user_id, agreed_items.score, agreed_items.grade_number,
        cast(count(*) as double) as alike
    from agreed_items
    group by agreed_items.user_id, agreed_items.score, agreed_items.grade_number
),

agreed_ties as (
    select user_id, score, grade_number, alike,
        max(grade_number) over (partition by user_id) as last_number,
        sum(alike) over (partition by user_id, score) as same_score,
        sum(alike) over (partition by user_id, grade_number) as same_grade
    from agreed_places
),

-- What the digits of a number are worth, as far as a number can have them.
agreed_digits as (select cast(1 as double) as worth union all select cast(4 as double) as worth),

agreed_numbers as (
    select agreed_ties.user_id, agreed_digits.worth as worth,
        floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as higher_digits,
        floor(agreed_ties.grade_number / agreed_digits.worth)
        - 4 * floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as digit,
        agreed_ties.score, agreed_ties.alike, agreed_ties.same_score, agreed_ties.same_grade
    from agreed_ties
    cross join agreed_digits
    where agreed_digits.worth = 1 or agreed_digits.worth <= agreed_ties.last_number
),

-- Among equal scores the smaller digits come first, and find none of the larger.
agreed_counts as (
    select user_id, worth, alike, same_score, same_grade,
        case digit
            when 0
                then sum(case when digit > 0 then alike else cast(0 as double) end) over (
                    partition by user_id, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            when 1
                then sum(case when digit > 1 then alike else cast(0 as double) end) over (
                    partition by user_id, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            when 2
                then sum(case when digit > 2 then alike else cast(0 as double) end) over (
                    partition by user_id, worth, higher_digits order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            else cast(0 as double)
        end as partners
    from agreed_numbers
),

agreed_pairs as (
    select user_id,
        sum(case when worth = 1 then alike else cast(0 as double) end) as items,
        sum(
            case when worth = 1 then alike * (same_score - 1) else cast(0 as double) end
        ) / 2 as pairs_of_score,
        sum(
            case when worth = 1 then alike * (same_grade - 1) else cast(0 as double) end
        ) / 2 as pairs_of_grade,
        sum(
            case when worth = 1 then alike * (alike - 1) else cast(0 as double) end
        ) / 2 as tied_both,
        sum(alike * partners) as discordant
    from agreed_counts
    group by user_id
),

agreed as (
    select user_id,
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both
        - discordant as concordant,
        discordant, pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade, tied_both
    from agreed_pairs
),

agreed_values as (
    select user_id,
        sum(concordant) / nullif(sum(concordant + discordant), 0) as fcp,  -- Koren & Sill 2011
        sum(concordant) as fcp_concordant, sum(discordant) as fcp_discordant
    from agreed
    group by user_id
)

select
    sum(fcp_concordant) / nullif(sum(fcp_concordant + fcp_discordant), 0) as value,
    count(fcp) as users
from agreed_values
