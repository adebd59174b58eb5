-- Pooled: one row per rated item within k (see rows/rated.sql), compared with those of all users of a
-- model and segment.
--
-- The same in all rows of a model, segment and cutoff:
--
--   users_evaluated   the users with a rated item within k
--   short_lists       their lists that end before k
--   ties_at_cutoff    their lists in which places k and k + 1 have the same score
--   mean_grade        the mean of the grades
--
-- Row by row:
--
--   predicted         the score
--   grade             the grade, as it is given, also below 0
--   relevant          1 where the item is relevant, else 0
--   negatives_so_far  the rows of items that are not relevant and have a score no higher
--   tied_negatives    those of them with the same score
--
-- Negatives are counted for the rows of relevant items; in the others they mean nothing.

{% macro pooled(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set all_users = 'partition by ' ~ sqlrec.names(groups) if groups %}
{% set lists = sqlrec.accounts(plan, used) %}
{{ sqlrec.rated_places(plan, kind, used) }}
{% if lists %}
-- One row of each list is its first, by which lists are counted.
pooled_lists as (
    select
        {{ sqlrec.names(sqlrec.user_groups(plan, used) + ['score'] + sqlrec.columns_of_rated(used)) }},
        {{ sqlrec.first_of_list(sqlrec.names(sqlrec.with_cutoff(plan, plan.list_keys)), 'rank') }} as first_of_list
    from {{ sqlrec.rated_source(plan, kind, used) }}
),
{% endif %}
{% set columns %}
    {{ groups | join(',\n') }},
    sum(first_of_list) over ({{ all_users }}) as users_evaluated,
    sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end) over ({{ all_users }}) as short_lists,
    {{ 'sum(first_of_list * tied) over (' ~ all_users ~ ')' if plan.order == 'score' else 0 }} as ties_at_cutoff,
    {{ sqlrec.double('score') }} as predicted,
    grade,
    relevant,
    {{ sqlrec.mean('grade') }} over ({{ all_users }}) as mean_grade,
{% endset %}
-- The rated items of all users together.
pooled as (
    select {{ sqlrec.entries(columns, sqlrec.whole_groups(plan, used) + used) }}
        {{- sqlrec.negatives(groups, used) }}
    from {{ 'pooled_lists' if lists else sqlrec.rated_source(plan, kind, used) }}
),
{% endmacro %}

{% macro pooled_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro pooled_population(plan) %}rated{% endmacro %}
