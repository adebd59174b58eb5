-- Relevant: one row per item that the truth judges for a user; where no column asks for the others, those
-- alone that are relevant.
--
--   user_id         who
--   item_id         what
--   relevance       how relevant it is: its grade; 1 without grades, 0 for a grade below 0
--   is_relevant     1 where the item counts as relevant, else 0
--   grade           its grade as it is given, also below 0; 1 without grades
--   best_rank       its place in the best list of the user's items
--   enough_<max_grade>  the chance that the item is enough for who gets there, (2^g - 1) / 2^max_grade
--   best_stop_<max_grade>  the chance that a reader of the best list stops at its place
--   misgraded       1 where the grade is missing, or too large to be added up; else 0
--   again           1 where the row before has the same user and item
--
-- Where the truth may name an item more than once, its rows stay; `first_judgments` has each item once then.
--
-- Truth users: one row per user of the truth.
--
--   judged_items    how many items are judged
--   relevant_items  how many items are relevant
--   ideal_items     how many a best list could hold: relevant, or with a relevance above 0
--   nonrelevant_items  how many are judged and not relevant; a grade below 0 is no judgement
--   ideal_...       what the user's best list is worth (see rows/ideal.sql)
--   violations      broken rules: no user, no item, no grade or too large a one, an item twice

{% macro relevant(plan, used) %}
{% set truth = plan.truth %}
{% set merged = plan.truth_duplicates in ['best', 'first', 'last'] %}
{% set by_row = plan.truth_duplicates in ['first', 'last'] %}
{% set gathered = merged or truth.unnest or (plan.audit and truth.columns.relevance) %}
{% set grade = sqlrec.double(truth.columns.relevance or 1) %}
{% if plan.audit and truth.floating.relevance %}{% set grade = sqlrec.number(grade) %}{% endif %}
{% if gathered %}
-- Every judgement.
judgements as (
    {%- set user = sqlrec.named(truth.columns.user_id, 'user_id') %}
    {%- if truth.unnest %}
    {{ sqlrec.unnested(user ~ ',\n        ' ~ grade ~ ' as grade', truth.columns.item_id, 'listed_at', truth.relation) | trim }}
    {%- else %}
    select
        {{ user }},
        {{ sqlrec.named(truth.columns.item_id, 'item_id') }},
        {{ grade }} as grade
        {%- if by_row and truth.columns.order_by %},
        row_number() over (
            partition by {{ truth.columns.user_id }}, {{ truth.columns.item_id }}
            order by case when {{ truth.columns.order_by }} is null then 1 else 0 end asc, {{ truth.columns.order_by }} {{ 'asc' if plan.truth_duplicates == 'first' else 'desc' }},
                {{ sqlrec.descending(grade, 'last') }}
        ) as repeat_number
        {%- elif by_row %},
        row_number() over () as row_order
        {%- endif %}
    from {{ truth.relation }}
    {%- endif %}
),
{% endif %}
{% if merged %}
-- An item is judged once, by its {{ plan.truth_duplicates }} grade.
distinct_judgements as (
    select user_id, item_id, {{ 'max(grade)' if not by_row else 'max(case when repeat_number = 1 then grade end)' if truth.columns.order_by else 'arg_max(grade, row_order)' if plan.truth_duplicates == 'last' else 'arg_min(grade, row_order)' }} as best_grade
    from judgements
    group by user_id, item_id
),
{% endif %}
{% set grade = 'best_grade' if merged else 'grade' if gathered else grade %}
{% set user, item = ('user_id', 'item_id') if gathered else (truth.columns.user_id, truth.columns.item_id) %}
{% set source = 'distinct_judgements' if merged else 'judgements' if gathered else truth.relation %}
{% set alone = sqlrec.relevant_alone(plan, used) %}
{% set threshold = '> 0' if plan.relevance_threshold is none else '>= ' ~ sqlrec.double(plan.relevance_threshold) %}
{% set all_relevant = alone or not truth.columns.relevance and plan.relevance_threshold is none or plan.relevance_threshold is not none and plan.relevance_threshold < -plan.largest_relevance %}
{% set best_first = 'partition by ' ~ user ~ ' order by ' ~ (grade ~ ' desc, ' if truth.columns.relevance) ~ item ~ ' asc' %}
{% set relevance = grade if alone or not truth.columns.relevance else 'case when ' ~ grade ~ ' > 0 then ' ~ grade ~ ' else ' ~ sqlrec.double(0) ~ ' end' %}
{% set columns = {
    'relevance': relevance,
    'is_relevant': sqlrec.double(1) if all_relevant else 'case when ' ~ grade ~ ' ' ~ threshold ~ ' then ' ~ sqlrec.double(1) ~ ' else ' ~ sqlrec.double(0) ~ ' end',
    'grade': grade,
    'misgraded': 'case when ' ~ grade ~ ' between -' ~ sqlrec.double(plan.largest_relevance) ~ ' and ' ~ sqlrec.double(plan.largest_relevance) ~ ' then 0 else 1 end',
    'best_rank': 'row_number() over (' ~ best_first ~ ')',
} %}
{% set again = sqlrec.follows_itself(plan, ['user_id']) | trim if 'again' in used and plan.truth_duplicates == 'error' else '' %}
{% if again %}{% set _ = columns.update({'again': again}) %}{% endif %}
{% for column in sqlrec.starting(used, 'enough_') %}
{% set _ = columns.update({column: sqlrec.enough(sqlrec.from_name(column[7:]) | float, relevance)}) %}
{% endfor %}
{% for column in sqlrec.starting(used, 'best_stop_') %}
{% set enough = sqlrec.enough(sqlrec.from_name(column[10:]) | float, relevance) %}
{% set _ = columns.update({column: sqlrec.stop('(' ~ enough ~ ')', best_first)}) %}
{% endfor %}
-- {{ "Each user's relevant items" if all_relevant else "Each user's judged items" }}{{ ', numbered as the best list shows them' if 'best_rank' in used }}.
relevant as (
    select {{ sqlrec.named(user, 'user_id') }}, {{ sqlrec.named(item, 'item_id') }}
        {{- sqlrec.chosen(columns, used) }}
    {%- if again %}
    from (select * from {{ source }} order by {{ user }}, {{ item }}) as in_order
    {%- else %}
    from {{ source }}
    {%- endif %}
    {%- if alone and truth.columns.relevance %}
    where {{ truth.columns.relevance if not gathered else grade }} {{ threshold }}
    {%- endif %}
),
{% endmacro %}

-- Whether items of the truth that are not relevant may be left out: nothing counts them.
{% macro relevant_alone(plan, used) %}
{{ return(
    not plan.audit
    and plan.population not in ['judged', 'judged_and_recs', 'all']
    and not sqlrec.some_of(['grade', 'judged_items', 'nonrelevant_items'], used)
    and (plan.relevance_threshold is none or 'relevance' not in used and plan.relevance_threshold > -plan.largest_relevance)
) }}
{% endmacro %}

-- How often a user's items come again in the truth: an expression over its rows.
{% macro repeated_judgements(plan) -%}
{{ 'sum(again)' if sqlrec.follows_itself(plan, ['user_id']) | trim else 'count(item_id) - count(distinct item_id)' }}
{%- endmacro %}

-- The columns of truth users, as far as they do not depend on lists.
{% macro truth_user_columns(plan, used, alone) %}
{% set columns = {
    'judged_items': 'count(*)',
    'relevant_items': 'count(*)' if alone else 'cast(sum(is_relevant) as bigint)',
    'ideal_items': 'cast(sum(case when relevance > 0 or is_relevant > 0 then 1 else 0 end) as bigint)',
    'nonrelevant_items': 'cast(sum(case when grade >= 0 and is_relevant = 0 then 1 else 0 end) as bigint)',
} %}
{% set _ = columns.update(sqlrec.ideal_sums_of_users(plan, used, alone)) %}
{% set violations %}
case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {%- if plan.truth_duplicates == 'error' %}
        + {{ sqlrec.repeated_judgements(plan) }}
        {%- endif %}
        {%- if plan.truth.columns.relevance %}
        + sum(misgraded)
        {%- endif %}
{%- endset %}
{% set _ = columns.update({'violations': violations | trim}) %}
{{ return(columns) }}
{% endmacro %}

-- What a place meets: each item once, with the least relevance above 0 that the truth has of it.
{% macro first_judgments(plan, used) %}
{% set columns = {'is_relevant': 'max(is_relevant)', 'relevant_rows': 'sum(is_relevant)', 'grade': 'max(grade)'} %}
{% for name in ['relevance'] + sqlrec.starting(used, 'enough_') %}
{% set _ = columns.update({name: 'coalesce(min(case when ' ~ name ~ ' > 0 then ' ~ name ~ ' end), 0)'}) %}
{% endfor %}
first_judgments as (
    select user_id, item_id
        {{- sqlrec.chosen(columns, used) }}
    from relevant
    group by user_id, item_id
),
{% endmacro %}

-- The truth as places of lists meet it: what a list is joined with.
{% macro relevant_once(plan) -%}
{{ 'first_judgments as relevant' if plan.truth_duplicates in ['rows', 'summed', 'lines'] else 'relevant' }}
{%- endmacro %}
