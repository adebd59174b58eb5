-- FCP: the fraction of pairs of items in the same order by score and by grade, from 0 to 1. fcp@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- Listed items that the truth grades. An item without a score or without a grade is not rated.
rated_items as (
    select listed.user_id, listed.rank, listed.score, relevant.grade
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null
),

-- Each pair of rated items of a list, with the signs of the differences in score and grade. A
-- single item also has a row, which is not a pair.
item_pairs as (
    select rated_items.user_id,
        case
            when rated_items.score > other.score then 1
            when rated_items.score < other.score then -1
            else 0
        end as by_score,
        case
            when rated_items.grade > other.grade then 1
            when rated_items.grade < other.grade then -1
            else 0
        end as by_grade,
        cast(case when other.rank is not null then 1 else 0 end as double) as pairs
    from rated_items
    left join rated_items as other
        on other.user_id = rated_items.user_id and other.rank > rated_items.rank
        and other.rank <= 10
    where rated_items.rank <= 10
),

-- The number of pairs of a list of each kind.
pair_counts as (
    select user_id,
        sum(case when by_score * by_grade = 1 then pairs else 0 end) as concordant,
        sum(case when by_score * by_grade = -1 then pairs else 0 end) as discordant
    from item_pairs
    group by user_id
),

pair_counts_values as (
    select
        sum(concordant) / nullif(sum(concordant + discordant), 0) as fcp,  -- Koren & Sill 2011
        sum(concordant) as fcp_concordant, sum(discordant) as fcp_discordant
    from pair_counts
    group by user_id
)

select
    sum(fcp_concordant) / nullif(sum(fcp_concordant + fcp_discordant), 0) as value,
    count(fcp) as users
from pair_counts_values
