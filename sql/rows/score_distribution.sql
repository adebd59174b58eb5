-- Score distribution: one row per listed item within k. Lists of users who are not in the truth
-- have rows too.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at ranks k and k + 1
--
-- By row:
--
--   below_highest    the score minus the highest score of all rows; null without a score

{% macro score_distribution(plan, kind, used) %}
-- All recommendations.
score_distribution_items as (
    select model, user_id, rank, cast(score as double) as score
    from listed
),
{{ sqlrec.ranks_within_cutoff(plan, kind, 'score_distribution_ranks', 'score_distribution_items') }}
-- Each score, relative to the highest score.
score_distribution as (
    select {{ plan.row_keys }},
        score - max(score) over (partition by {{ plan.row_keys }}) as below_highest,
        sum(first_of_list) over (partition by {{ plan.row_keys }}) as users_evaluated,
        sum(first_of_list * is_short) over (partition by {{ plan.row_keys }}) as short_lists,
        sum(first_of_list * tied) over (partition by {{ plan.row_keys }}) as ties_at_cutoff
    from score_distribution_ranks
),
{% endmacro %}
