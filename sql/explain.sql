-- Values of one metric in several variants, and the number of users with a value that
-- each variant changes. Variants that differ only in their population and in their rules for
-- undefined values share per-user values: for each variant, plan.forms has the metric of the call
-- with these values (base), its population, its rules for undefined values and users without a
-- list, and the number of the variant that it is compared with (compared). One row per model:
--
--   model
--   value_<n>, users_<n>    the mean of variant n, and its number of users
--   touched_<n>             users with another value than by the compared variant, or with a value
--                           in only one of the two
--   violations_<n>          number of broken rules in variant n

{% macro explanation(plan) %}
{% set forms = plan.forms %}
{% set members = {'is_judged': 'judged_items > 0', 'is_relevant': 'relevant_items > 0', 'has_list': 'list_length > 0'} %}
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
-- Each user's values, with columns for each variant.
user_forms as (
    select
        model,
        user_id
        {%- for form in forms %}
        {%- set number = loop.index %}
        {%- set counts = ["metric = '" ~ form.base ~ "'"] %}
        {%- for name in sqlrec.population_properties().get(form.population, []) %}{% set _ = counts.append(members[name]) %}{% endfor %}
        {%- set counts = counts | join(' and ') %}
        {%- set value = 'case when list_length > 0 then value end' if form.without_list == 'undefined' else 'value' %}
        {%- set value = 'coalesce(' ~ value ~ ', ' ~ (1 if form.undefined == 'one' else 0) ~ ')' if form.undefined in ['zero', 'one'] else value %},
        max(case when {{ counts }} then {{ value }} end) as form_{{ number }},
        max(case when metric = '{{ form.base }}' then violations end) as violations_{{ number }}
        {%- if form.undefined == 'propagate' %},
        max(case when {{ counts }} then 1 end) as member_{{ number }}
        {%- endif %}
        {%- endfor %}
    from user_results
    group by model, user_id
)
select
    model
    {%- for form in forms %}
    {%- set number = loop.index %}
    {%- set column = 'form_' ~ number %}
    {%- set mean = sqlrec.mean(column) %},
    {{ 'case when count(' ~ column ~ ') = count(member_' ~ number ~ ') then ' ~ mean ~ ' end' if form.undefined == 'propagate' else mean }} as value_{{ number }},
    cast(count({{ column }}) as bigint) as users_{{ number }},
    cast(sum(
        case
            when form_{{ form.compared }} is null and {{ column }} is null then 0
            when abs({{ column }} - form_{{ form.compared }}) <= 0.000000001 then 0
            else 1
        end
    ) as bigint) as touched_{{ number }},
    cast(coalesce(max(violations_{{ number }}), 0) as bigint) as violations_{{ number }}
    {%- endfor %}
from user_forms
group by model
{{ sqlrec.ending() }}
{% endmacro %}

-- Facts about the rows of all models: one row that shows which rules have the same effect.
--
--   violations      broken rules, in lists below the cutoff too
--   ties            ranks within the cutoff (plan.within) with the same score as the next item
--   least_score     the smallest score of lists
--   least_grade, least_relevant, largest_grade the grades of the truth, and of its relevant items

{% macro row_facts(plan) %}
{% set grade, scored = plan.truth.columns.relevance, plan.order == 'score' %}
{% set grade = 'cast(' ~ grade ~ ' as double)' if grade else sqlrec.double(1) %}
{% set query %}
{{ sqlrec.violation_counts(plan) }}
tied_ranks as (
    select cast(sum({{ 'case when rank <= ' ~ plan.within ~ ' then tied end' if scored else 0 }}) as bigint) as ties
    from listed
),
least_scores as (
    select min(score) as least_score
    from (
        {%- for source in plan.recs %}
        {{ 'union all' if not loop.first }}
        select {{ sqlrec.score(plan, source) if scored else sqlrec.double('null') }} as score from {{ source.relation }}
        {%- endfor %}
    ) as scores
),
grades as (
    select
        min({{ grade }}) as least_grade,
        min(case when {{ grade }} > 0 then {{ grade }} end) as least_relevant,
        max({{ grade }}) as largest_grade
    from {{ plan.truth.relation }}
)
select violation_counts.violations, ties, least_score, least_grade, least_relevant, largest_grade
from violation_counts
cross join tied_ranks
cross join least_scores
cross join grades
{% endset %}
with
{{ sqlrec.queries_read(plan, query) }}
{{ query }}
{{ sqlrec.ending() }}
{% endmacro %}
