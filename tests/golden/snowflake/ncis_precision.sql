-- NCIS precision: the precision of a list that replaces the baseline's, with each rank weighted by
-- its score relative to the baseline's, from 0 to 1. ncis_precision@10.
-- Reads recs (user_id, item_id, score),
-- truth (user_id, item_id) and baseline (user_id, item_id, score). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id, score,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The baseline's scores, at any rank.
baseline_scores as (
    select user_id, item_id, max(score) as baseline_score
    from baseline
    group by user_id, item_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        cast(coalesce(truth_users.relevant_items, 0) as double) as relevant_items,
        cast(baseline_scores.baseline_score as double) as baseline_score,
        coalesce(relevant.is_relevant, 0) as hit, cast(listed.score as double) as score
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join baseline_scores
        on baseline_scores.user_id = listed.user_id and baseline_scores.item_id = listed.item_id
    left join truth_users on truth_users.user_id = listed.user_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        case
            when relevant_items > 0
                then sum(
                    hit * case
                        when score is null
                            or score / nullif(baseline_score, 0) <= cast('0.1' as double)
                            then cast('0.1' as double)
                        when score / nullif(baseline_score, 0) < 10
                            then score / nullif(baseline_score, 0)
                        else 10
                    end
                )
                / sum(
                    case
                        when score is null
                            or score / nullif(baseline_score, 0) <= cast('0.1' as double)
                            then cast('0.1' as double)
                        when score / nullif(baseline_score, 0) < 10
                            then score / nullif(baseline_score, 0)
                        else 10
                    end
                )
        end as ncis_precision  -- Gilotte et al. 2018
    from recommended_items
    group by user_id, relevant_items
)

select avg(ncis_precision) as value, count(ncis_precision) as users
from recommended_items_values
