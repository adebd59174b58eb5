-- Spread: one row per place within k of a list, with the places of all users of a model and segment
-- taken together, whether or not the truth knows them.
--
-- The same in all rows of a model, segment and cutoff:
--
--   users_evaluated  how many users have a list
--   short_lists      how many of the lists are shorter than k
--   ties_at_cutoff   how many have the same score at places k and k + 1
--
-- Row by row:
--
--   below_highest    the score minus the highest one of all rows; null without a score

{% macro spread(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set accounts = sqlrec.accounts(plan, used) %}
{% set alone = not accounts and sqlrec.places_alone(plan, used) %}
{% set of_lists = sqlrec.columns_of_accounts(plan, accounts) %}
{% set together = 'over (' ~ sqlrec.partitioned(groups) ~ ')' %}
-- The places of all lists.
spread_places as (
    select {{ sqlrec.taken(groups, 'listed' if alone else 'shown_lists') ~ ',' if groups }}
        {{ sqlrec.double('listed.score') }} as score
        {%- if accounts %},
        {{ sqlrec.first_of_list(sqlrec.names(sqlrec.with_cutoff(plan, plan.list_keys), 'shown_lists'), 'listed.rank') }} as first_of_list
        {%- endif %}
        {{- ', ' ~ sqlrec.taken(of_lists, 'shown_lists') if of_lists }}
    {%- if alone %}
    from listed
    {{ sqlrec.where_within(plan, 'listed.rank', '') }}
    {%- else %}
    from shown_lists
    join listed
        on {{ sqlrec.same(plan.list_keys, 'listed', 'shown_lists') }}
        {{ sqlrec.and_within(plan, 'listed.rank', 'shown_lists') }}
    {{ sqlrec.where_asked(plan, kind, 'shown_lists') }}
    {%- endif %}
),
-- Each score, beside the highest of all.
spread as (
    select {{ sqlrec.names(groups) ~ ',' if groups }}
        score - max(score) {{ together }} as below_highest
        {%- call sqlrec.kept_columns(accounts) %}
        sum(first_of_list) {{ together }} as users_evaluated,
        sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end) {{ together }} as short_lists,
        sum({{ 'first_of_list * tied' if plan.order == 'score' else 0 }}) {{ together }} as ties_at_cutoff,
        {%- endcall %}
    from spread_places
),
{% endmacro %}

{% macro spread_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro spread_population(plan) %}recs{% endmacro %}
