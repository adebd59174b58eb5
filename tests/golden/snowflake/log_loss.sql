-- Log loss: the mean negative log-likelihood of relevance, with scores as probabilities, at least
-- 0. log_loss@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id, cast(relevance as double) as grade,
        cast(case when cast(relevance as double) > 0 then 1 else 0 end as double) as is_relevant
    from truth
),

-- Each rated item within the cutoff.
rated as (
    select listed.user_id, cast(listed.score as double) as predicted,
        relevant.is_relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null and relevant.grade is not null and listed.rank <= 10
),

rated_values as (
    select
        avg(
            -ln(
                case
                    when (
                        case when relevant > 0 then predicted else 1 - predicted end
                    ) > cast('1e-15' as double)
                        then case
                            when (
                                case when relevant > 0 then predicted else 1 - predicted end
                            ) < 1 - cast('1e-15' as double)
                                then case when relevant > 0 then predicted else 1 - predicted end
                            else 1 - cast('1e-15' as double)
                        end
                    else cast('1e-15' as double)
                end
            )
        ) as log_loss,  -- Good 1952
        cast(count(*) as double) as log_loss_weight
    from rated
    group by user_id
)

select
    sum(log_loss * log_loss_weight)
    / nullif(sum(case when log_loss is not null then log_loss_weight end), 0) as value,
    count(log_loss) as users
from rated_values
