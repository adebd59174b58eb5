-- Evaluated: one row per model, user of the population and cutoff: what is known before the hits.
--
--   model           the model whose list it is, if there are several
--   user_id         the user
--   <segment>       a column of `by`, with one value for each user
--   k               the cutoff, where there are several
--   list_length     the places of the list, at most k; 0 for a user without a list. Lines, where places make
--                   them (see odd/lines.sql)
--   relevant_items  how many items are relevant to the user; more where those that the list repeats count
--                   as often (see odd/sought.sql)
--   judged_items    how many items the truth judges for the user
--   nonrelevant_items  how many of them are judged and not relevant
--   gain_levels     how many different gains the user's items have, 0 aside
--   goes_past       1 where the list goes on for two places or more past the last item with a gain, else 0
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--   ideal_...       what the user's best list is worth (see rows/ideal.sql)

-- Where the users of the truth are all that are averaged over, and nothing of their lists is asked, they are
-- the evaluated users as they stand.
-- They have the columns that are `read` of them.
{% macro evaluated(plan, used, read) %}
{% if sqlrec.truth_users_alone(plan, read + ['truth_users'] | select('in', used) | list) %}
{{ sqlrec.truth_users(plan, 'evaluated', used, read) }}
{% else %}
{% set row = sqlrec.evaluated_row(plan, read) %}
{% set before = sqlrec.before_evaluated(plan, used) %}
{{ before }}
-- The population: users {{ {
    'truth': 'with relevant items',
    'truth_and_recs': 'with relevant items and a list',
    'judged': 'of the truth',
    'judged_and_recs': 'of the truth with a list',
    'recs': 'with a list',
    'all': 'of the truth or with a list',
}[plan.population] }}.
evaluated as (
    select {{ sqlrec.entries(row, row) }}
    {{- sqlrec.evaluated_tables(plan, used, row) }}
    {{ sqlrec.evaluated_where(plan, used + sqlrec.identifiers(before)) }}
),
{% endif %}
{% endmacro %}

-- The columns of evaluated users: expressions over the tables that they are made of.
{% macro evaluated_row(plan, used) %}
{% set whose = sqlrec.whose(plan) %}
{% set row %}
    {{ ('models' if whose == 'truth_users' else whose) ~ '.model,' if 'model' in plan.list_keys }}
    {{ whose }}.user_id,
    {% for segment in plan.by %}
    {{ segment.table }}_segments.{{ segment.name }},
    {% endfor %}
    {{ 'cutoffs.k,' if not plan.k }}
{% endset %}
{% set row, more = sqlrec.columns(row), sqlrec.evaluated_columns(plan, used) %}
{% for name in more if name in used %}{% set _ = row.update({name: more[name]}) %}{% endfor %}
{{ return(row) }}
{% endmacro %}

-- The rows that users come from.
{% macro whose(plan) %}{{ return({'recs': 'list_lengths', 'all': 'everybody'}.get(plan.population, 'truth_users')) }}{% endmacro %}
{% macro of_lists(plan) %}{{ return(plan.population in ['truth_and_recs', 'judged_and_recs', 'recs']) }}{% endmacro %}

-- Queries that the tables name.
{% macro before_evaluated(plan, used) %}
{% if plan.population == 'all' %}
{% set several = 'model' in plan.list_keys %}
-- Whoever is in the truth or has a list.
everybody as (
    select distinct {{ sqlrec.names(plan.list_keys) }}
    from (
        select {{ sqlrec.names(plan.list_keys) }}
        from list_lengths
        union all
        select {{ 'models.model as model, ' if several }}truth_users.user_id as user_id
        from truth_users
        {{ 'cross join models' if several }}
    ) as listed_or_judged
),
{% endif %}
{{ sqlrec.places_of_sought(plan) if sqlrec.seeks_again(plan) }}
{{ sqlrec.sought(plan, used) if sqlrec.counts_sought(plan, used) }}
{{ sqlrec.lines(plan) if plan.truth_duplicates == 'lines' }}
{{ sqlrec.ideal_rows(plan, used) }}
{% endmacro %}

-- The tables: a clause.
{% macro evaluated_tables(plan, used, row) %}
{% set whose = sqlrec.whose(plan) %}
{% set read = sqlrec.identifiers(row.values() | join(' ') ~ sqlrec.ideal_joins(plan, used, whose) ~ ' ' ~ sqlrec.evaluated_where(plan, used)) %}
    from {{ whose }}
    {%- if whose != 'truth_users' and 'truth_users' in read %}
    left join truth_users on truth_users.user_id = {{ whose }}.user_id
    {%- elif whose == 'truth_users' and 'model' in plan.list_keys %}
    cross join {{ sqlrec.all_models(plan) }}
    {%- endif %}
    {%- if whose != 'list_lengths' and (sqlrec.of_lists(plan) or 'list_lengths' in read) %}
    {{ 'left ' if not sqlrec.of_lists(plan) }}join list_lengths on {{ sqlrec.same_list(plan, 'list_lengths', whose, false) }}
    {%- endif %}
    {{ 'cross join cutoffs' if not plan.k }}
    {{- sqlrec.account_joins(plan, whose) }}
    {{ 'left join sought_counts on ' ~ sqlrec.same_list(plan, 'sought_counts', whose, 'k' in sqlrec.sought_keys(plan)) if sqlrec.counts_sought(plan, used) }}
    {{ 'left join line_counts on ' ~ sqlrec.same_list(plan, 'line_counts', whose) if plan.truth_duplicates == 'lines' }}
    {{- sqlrec.ideal_joins(plan, used, whose) }}
{%- endmacro %}

-- Which of these users count: a clause.
{% macro evaluated_where(plan, used) -%}
{{ sqlrec.where([
    'truth_users.relevant_items > 0' if plan.population in ['truth', 'truth_and_recs'] and not sqlrec.relevant_alone(plan, used),
    sqlrec.at_cutoff(plan, 'places', 'list_lengths') ~ ' > 0' if sqlrec.of_lists(plan),
    '(truth_users.user_id is not null or ' ~ sqlrec.at_cutoff(plan, 'places', 'list_lengths') ~ ' > 0)' if plan.population == 'all' and plan.order == 'rank'
]) }}
{%- endmacro %}

{% macro evaluated_columns(plan, used) %}
{% set places = 'line_counts.list_length' if plan.truth_duplicates == 'lines' else sqlrec.at_cutoff(plan, 'places', 'list_lengths') %}
{% set columns %}
    coalesce({{ places }}, 0) as list_length,
    {{ sqlrec.items_of_user(plan, 'relevant_items') }} as relevant_items,
    truth_users.gain_levels,
    case when {{ places }} >= truth_users.gained + 2 then 1 else 0 end as goes_past,
    coalesce(truth_users.judged_items, 0) as judged_items,
    coalesce(truth_users.nonrelevant_items, 0) as nonrelevant_items,
    {{ 'coalesce(' ~ sqlrec.at_cutoff(plan, 'tied', 'list_lengths') ~ ', 0) as tied,' if plan.order == 'score' }}
{% endset %}
{% set columns = sqlrec.columns(columns) %}
{% set _ = columns.update(sqlrec.ideal_columns(plan, used)) %}
{{ return(columns) }}
{% endmacro %}

{% macro truth_users_alone(plan, used) %}
{{ return(
    plan.list_keys == ['user_id'] and plan.k is not none and not plan.by and plan.population == 'truth'
    and not sqlrec.seeks_again(plan) and plan.truth_duplicates != 'lines'
    and not sqlrec.some_of(['list_length', 'goes_past', 'tied', 'truth_users'], used)
    and sqlrec.ideal_joins(plan, used, '') | trim == ''
) }}
{% endmacro %}

-- The users of the truth, under a name.
{% macro truth_users(plan, name, used, read) %}
{% set alone = sqlrec.relevant_alone(plan, used) %}
-- {{ 'The population: users with relevant items.' if name == 'evaluated' else 'The users of the truth' ~ (', and how many relevant items each has' if 'relevant_items' in used) ~ '.' }}
{{ name }} as (
    {%- set columns = sqlrec.chosen(sqlrec.truth_user_columns(plan, used, alone), read) %}
    {%- if columns or not alone %}
    select user_id
        {{- columns }}
    from relevant
    group by user_id
    {%- else %}
    select distinct user_id
    from relevant
    {%- endif %}
    {{ 'having sum(is_relevant) > 0' if name == 'evaluated' and not alone }}
),
{% endmacro %}

-- The list of a row, at its cutoff, is that of another row: a condition.
{% macro same_list(plan, left, whose, by_cutoff=true) -%}
{%- if whose == 'truth_users' and 'model' in plan.list_keys -%}
{{ left }}.model = models.model and {{ left }}.user_id = truth_users.user_id
{%- else -%}
{{ sqlrec.same(plan.list_keys, left, whose) }}
{%- endif -%}
{{ ' and ' ~ left ~ '.k = cutoffs.k' if by_cutoff and not plan.k }}
{%- endmacro %}
