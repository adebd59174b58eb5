-- Score entropy: how evenly the softmax of the scores spreads over all ranks within k, in nats, at
-- least 0. If all scores are equal, it is the logarithm of the number of items, its maximum.
-- score_entropy@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down.
listed as (
    select user_id, score,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The ranks of each list within the cutoff.
score_distribution_ranks as (
    select
        cast(score as double) as score,
        case
            when row_number() over (partition by user_id order by rank asc) = 1 then 1
            else 0
        end as first_of_list
    from listed
    where rank <= 10
),

-- Each score, relative to the highest score.
score_distribution as (
    select
        score - max(score) over () as below_highest,
        sum(first_of_list) over () as users_evaluated
    from score_distribution_ranks
),

score_distribution_values as (
    select users_evaluated,
        -- Evidently 0.7
        ln(sum(case when below_highest > -600 then exp(below_highest) end))
        - sum(below_highest * case when below_highest > -600 then exp(below_highest) end)
        / sum(case when below_highest > -600 then exp(below_highest) end) as score_entropy
    from score_distribution
    group by users_evaluated
)

select score_entropy as value,
    cast(case when score_entropy is null then 0 else users_evaluated end as bigint) as users
from score_distribution_values
