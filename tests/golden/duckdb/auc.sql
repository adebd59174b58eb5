-- AUC: the share of pairs of a relevant and an irrelevant item, over all users together, in which
-- the relevant item has the higher score, from 0 to 1. auc@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id, cast(relevance as double) as grade,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- The ranks of each list within the cutoff.
pooled_ranks as (
    select listed.score, relevant.is_relevant as relevant,
        case
            when row_number() over (partition by listed.user_id order by listed.rank asc) = 1 then 1
            else 0
        end as first_of_list
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

-- The rated items of all users together.
pooled as (
    select
        sum(first_of_list) over () as users_evaluated,
        relevant,
        sum(1 - relevant) over (
            order by score asc, relevant asc rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by score) as tied_negatives
    from pooled_ranks
),

pooled_values as (
    select users_evaluated,
        sum(relevant * (negatives_so_far - tied_negatives / 2))
        / nullif(sum(relevant) * sum(1 - relevant), 0) as auc  -- Hanley & McNeil 1982
    from pooled
    group by users_evaluated
)

select auc as value, cast(case when auc is null then 0 else users_evaluated end as bigint) as users
from pooled_values
