-- Score distribution: one row per place within k of a list, with the places of all users of a model and segment
-- pooled, whether or not they are in the truth.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at places k and k + 1
--
-- By row:
--
--   below_highest    the score minus the highest score of all rows; null without a score

{% macro score_distribution(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set accounts = sqlrec.accounts(plan, used) %}
{% set alone = not accounts and sqlrec.reads_only_places(plan, used) %}
{% set of_lists = sqlrec.columns_of_accounts(plan, accounts) %}
{% set together = 'over (' ~ sqlrec.partitioned(groups) ~ ')' %}
-- The places of all lists.
score_distribution_places as (
    select {{ sqlrec.columns_of(groups, 'listed' if alone else 'recommended_lists') ~ ',' if groups }}
        {{ sqlrec.double('listed.score') }} as score
        {%- if accounts %},
        {{ sqlrec.first_of_list(sqlrec.names(sqlrec.with_cutoff(plan, plan.list_keys), 'recommended_lists'), 'listed.rank') }} as first_of_list
        {%- endif %}
        {{- ', ' ~ sqlrec.columns_of(of_lists, 'recommended_lists') if of_lists }}
    {%- if alone %}
    from listed
    {{ sqlrec.where_within(plan, 'listed.rank', '') }}
    {%- else %}
    from recommended_lists
    join listed
        on {{ sqlrec.same(plan.list_keys, 'listed', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'listed.rank', 'recommended_lists') }}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    {%- endif %}
),
-- Each score, relative to the highest of all.
score_distribution as (
    select {{ sqlrec.names(groups) ~ ',' if groups }}
        score - max(score) {{ together }} as below_highest
        {%- call sqlrec.kept_columns(accounts) %}
        sum(first_of_list) {{ together }} as users_evaluated,
        sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end) {{ together }} as short_lists,
        sum({{ 'first_of_list * tied' if plan.order == 'score' else 0 }}) {{ together }} as ties_at_cutoff,
        {%- endcall %}
    from score_distribution_places
),
{% endmacro %}

{% macro score_distribution_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro score_distribution_population(plan) %}recs{% endmacro %}
