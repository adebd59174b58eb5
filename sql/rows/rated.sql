-- Rated items: one row per model, user and item that has a score in the list and a grade in the truth,
-- down to the deepest cutoff.
--
--   model, user_id  the model and user of the list
--   rank            the item's rank in the list, from 1
--   score           its score as in recs
--   grade           its grade as in the truth, even below 0
--   relevant        1 if it is relevant, else 0
--
-- Rated: one row per rated item within k. Lists without a rated item have no row.
--
-- Constant for a list and cutoff: k, list_length, tied as in rows/recommended_items.sql, and
--
--   mean_predicted    the mean of the scores
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade, relevant   as above
--   negatives_so_far  number of irrelevant items with an equal or lower score
--   tied_negatives    number of these with the same score
--   predicted_rank    the item's rank by its score, relative to the middle: below 0 in the lower
--                     half; equal scores have their mean rank
--   grade_rank        its rank by its grade, like predicted_rank
--
-- Negatives are defined only in the rows of relevant items.

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

-- The rated items within each cutoff.
{% macro rated_ranks(plan, kind, used) %}
{% set alone = sqlrec.reads_only_ranks(plan, used) %}
{{ kind.name }}_ranks as (
    select rated_items.*, {{ sqlrec.columns_of_reached(plan, 'rated_items', alone) }}
    {{ sqlrec.from_lists(plan, kind, 'rated_items', alone) }}
),
{% endmacro %}

{% macro rated(plan, kind, used) %}
{{ sqlrec.rated_ranks(plan, kind, used) }}
-- Each rated item within the cutoff.
rated as (
    select {{ sqlrec.columns_of_list(plan, used) | join(', ') }},
        cast(score as double) as predicted,
        grade,
        relevant,
        favg(cast(score as double)) over (partition by model, user_id, k) as mean_predicted,
        favg(grade) over (partition by model, user_id, k) as mean_grade,
        {{ sqlrec.middle_rank('score') }} as predicted_rank,
        {{ sqlrec.middle_rank('grade') }} as grade_rank,
        {{ sqlrec.negatives(['model', 'user_id', 'k']) }}
    from rated_ranks
),
{% endmacro %}

-- The numbers of irrelevant items with the same or a lower score, and with the same score, in each
-- partition. Among equal scores relevant items come last, so they count all irrelevant items.
{% macro negatives(keys) -%}
sum(1 - relevant) over (
            partition by {{ keys | join(', ') }} order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by {{ keys | join(', ') }}, {{ sqlrec.part_of('score') }}) as tied_negatives
{%- endmacro %}

-- An item's rank by a column, relative to the middle: half the difference of its ranks in
-- ascending and in descending order. Both orders break ties by rank, so equal values get their mean
-- rank.
{% macro middle_rank(column) -%}
(
            cast(row_number() over (partition by model, user_id, k order by {{ column }} asc, rank asc) as double)
            - cast(row_number() over (partition by model, user_id, k order by {{ column }} desc, rank asc) as double)
        ) / 2
{%- endmacro %}
