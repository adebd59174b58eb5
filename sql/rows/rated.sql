-- Rated items: one row per model, user and item that has a score in the list and a grade in the truth,
-- down to the deepest cutoff.
--
--   model, user_id  the model and user of the list
--   rank            the item's rank in the list, from 1
--   score           the item's score as in recs
--   grade           its grade as in the truth, even below 0
--   relevant        1 if it is relevant, else 0
--
-- Rated: one row per rated item within k. Lists without a rated item have no row.
--
-- Constant for a list and cutoff: k, list_length, tied as in rows/recommended_lists.sql, and
--
--   mean_predicted    the mean of the scores
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade, relevant   as above
--   negatives_so_far  number of irrelevant items with an equal or lower score
--   tied_negatives    number of these items with the same score
--   predicted_rank    the item's rank by score minus the middle rank, so below 0 in the lower half;
--                     equal scores have their mean rank
--   grade_rank        its rank by its grade, like predicted_rank
--
-- Negatives are defined only in the rows of relevant items. Among equal scores, relevant items come
-- last, so they count all irrelevant items. Ranks are counted from both ends, with ties ordered by
-- rank; half their difference is therefore the mean rank of equal values.

{% macro rated_items(plan) %}
-- Listed items that the truth grades. An item without a score or without a grade is not rated.
rated_items as (
    select listed.model, listed.user_id, listed.rank, listed.score,
        relevant.grade,
        relevant.is_relevant as relevant
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.score is not null{{ ' and relevant.grade is not null' if plan.truth.columns.relevance }}
),
{% endmacro %}

{% macro rated(plan, kind, used) %}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'rated_ranks', 'rated_items') }}
-- Each rated item within the cutoff.
rated as (
    select rated_ranks.*,
        cast(score as double) as predicted,
        favg(cast(score as double)) over (partition by model, user_id, k) as mean_predicted,
        favg(grade) over (partition by model, user_id, k) as mean_grade,
        (
            cast(row_number() over (partition by model, user_id, k order by score asc, rank asc) as double)
            - cast(row_number() over (partition by model, user_id, k order by score desc, rank asc) as double)
        ) / 2 as predicted_rank,
        (
            cast(row_number() over (partition by model, user_id, k order by grade asc, rank asc) as double)
            - cast(row_number() over (partition by model, user_id, k order by grade desc, rank asc) as double)
        ) / 2 as grade_rank,
        sum(1 - relevant) over (
            partition by model, user_id, k order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by model, user_id, k, {{ sqlrec.part_of('score') }}) as tied_negatives
    from rated_ranks
),
{% endmacro %}
