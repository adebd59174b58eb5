-- Pooled: one row per rated item within k (see rows/rated.sql), compared with the rated items of
-- all users of a model and segment.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated   the users with a rated item within k
--   short_lists       their lists that end before k
--   ties_at_cutoff    their lists in which ranks k and k + 1 have the same score
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade             the grade as in the truth, even below 0
--   relevant          1 if the item is relevant, else 0
--   negatives_so_far  number of rows with an irrelevant item of equal or lower score
--   tied_negatives    number of these with the same score
--
-- Negatives are defined only in the rows of relevant items.

{% macro pooled(plan, kind, used) %}
{% set keys = plan.group_columns | join(', ') %}
{% set of_lists = sqlrec.columns_of_accounts(plan, sqlrec.accounts(plan, used)) %}
{{ sqlrec.rated_ranks(plan, kind, used + of_lists) }}
-- One row of each list is marked as its first, to count lists.
pooled_lists as (
    select {{ sqlrec.columns_of_list(plan, used + of_lists) | join(', ') }}, score, grade, relevant,
        case when row_number() over (partition by model, user_id, k order by rank asc) = 1 then 1 else 0 end as first_of_list
    from pooled_ranks
),
-- The rated items of all users together.
pooled as (
    select {{ keys }},
        sum(first_of_list) over (partition by {{ keys }}) as users_evaluated,
        sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end) over (partition by {{ keys }}) as short_lists,
        {{ 'sum(first_of_list * tied) over (partition by ' ~ keys ~ ')' if sqlrec.counts_ties(plan) else 0 }} as ties_at_cutoff,
        cast(score as double) as predicted,
        grade,
        relevant,
        favg(grade) over (partition by {{ keys }}) as mean_grade,
        {{ sqlrec.negatives(plan.group_columns) }}
    from pooled_lists
),
{% endmacro %}
