-- Pooled: one row per rated item within k (see rows/rated.sql), compared with the rated items of
-- all users of a model and segment.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated   number of users with a rated item within k
--   short_lists       number of their lists that are shorter than k
--   ties_at_cutoff    number of their lists with the same score at ranks k and k + 1
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade             the grade as in the truth, even below 0
--   relevant          1 if the item is relevant, else 0
--   negatives_so_far  number of rows with an irrelevant item of equal or lower score
--   tied_negatives    number of these rows with the same score
--
-- Negatives are defined only in the rows of relevant items.

{% macro pooled(plan, kind, used) %}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'pooled_ranks', 'rated_items') }}
-- The rated items of all users together.
pooled as (
    select {{ plan.row_keys }},
        sum(first_of_list) over (partition by {{ plan.row_keys }}) as users_evaluated,
        sum(first_of_list * is_short) over (partition by {{ plan.row_keys }}) as short_lists,
        sum(first_of_list * tied) over (partition by {{ plan.row_keys }}) as ties_at_cutoff,
        cast(score as double) as predicted,
        grade,
        relevant,
        favg(grade) over (partition by {{ plan.row_keys }}) as mean_grade,
        sum(1 - relevant) over (
            partition by {{ plan.row_keys }} order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by {{ plan.row_keys }}, {{ sqlrec.part_of('score') }}) as tied_negatives
    from pooled_ranks
),
{% endmacro %}
