-- Score distribution: one row per listed item within k. A model and segment contain the rows of all users with a list,
-- also of users who are not in the truth.
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
{% set alone = plan.has_one_group %}
{% set keys = plan.group_columns | join(', ') %}
-- All recommendations.
score_distribution_ranks as (
    select listed.model, listed.user_id, {{ sqlrec.columns_of_reached(plan, 'listed', alone) }},
        cast(listed.score as double) as score,
        case
            when row_number() over (
                partition by listed.model, listed.user_id{{ ', recommended_lists.k' if not alone }} order by listed.rank asc
            ) = 1 then 1
            else 0
        end as first_of_list
    {{ sqlrec.from_lists(plan, kind, 'listed', alone) }}
),
-- Each score, relative to the highest of all.
score_distribution as (
    select {{ keys }},
        score - max(score) over (partition by {{ keys }}) as below_highest,
        sum(first_of_list) over (partition by {{ keys }}) as users_evaluated,
        sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end) over (partition by {{ keys }}) as short_lists,
        {{ 'sum(first_of_list * tied) over (partition by ' ~ keys ~ ')' if sqlrec.counts_ties(plan) else 0 }} as ties_at_cutoff
    from score_distribution_ranks
),
{% endmacro %}
