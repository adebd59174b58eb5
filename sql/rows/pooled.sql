-- Pooled: one row per rated item within k (see rows/rated.sql), compared with the rated items of
-- all users of a model and segment.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated   the users with a rated item within k
--   short_lists       their lists that end before k
--   ties_at_cutoff    their lists in which places k and k + 1 have the same score
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade             the grade as in the truth, also below 0
--   relevant          1 where the item is relevant, else 0
--   negatives_so_far  number of rows with an irrelevant item and the same or a lower score
--   tied_negatives    number of these with the same score
--
-- Negatives are defined only in the rows of relevant items.

{% macro pooled(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set all_users = 'partition by ' ~ sqlrec.names(groups) if groups %}
{% set lists = sqlrec.accounts(plan, used) %}
{{ sqlrec.rated_places(plan, kind, used) }}
{% if lists %}
-- One row of each list is marked as its first, to count lists.
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
