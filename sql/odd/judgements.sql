-- Truth that names an item more than once, as some libraries read it: an item is judged once, by one of its
-- rows; or each row counts, and a place meets one of them.

-- Which of an item's rows counts, where their order says so: entries of a select that go on.
{% macro number_of_judgement(plan, grade) %}
{% set columns = plan.truth.columns %}
{% if plan.truth_duplicates in ['first', 'last'] %},
        {%- if columns.order_by %}
        row_number() over (
            partition by {{ columns.user_id }}, {{ columns.item_id }}
            order by case when {{ columns.order_by }} is null then 1 else 0 end asc, {{ columns.order_by }} {{ 'asc' if plan.truth_duplicates == 'first' else 'desc' }},
                {{ sqlrec.descending(grade, 'last') }}
        ) as repeat_number
        {%- else %}
        row_number() over () as row_order
        {%- endif %}
{%- endif %}
{% endmacro %}

{% macro distinct_judgements(plan, used) %}
-- An item is judged once, by its {{ plan.truth_duplicates }} grade.
distinct_judgements as (
    select user_id, item_id,
        {%- if plan.truth_duplicates == 'best' %}
        max(grade) as best_grade
        {%- elif plan.truth.columns.order_by %}
        max(case when repeat_number = 1 then grade end) as best_grade
        {%- else %}
        {{ 'arg_max' if plan.truth_duplicates == 'last' else 'arg_min' }}(grade, row_order) as best_grade
        {%- endif %}
        {{- ',\n        max(propensity) as propensity' if plan.truth.columns.propensity and sqlrec.some_of(['propensity', 'improbable'], used) }}
    from judgements
    group by user_id, item_id
),
{% endmacro %}

{% macro first_judgments(plan, used) %}
{% set columns = {'is_relevant': 'max(is_relevant)', 'is_top': 'max(is_top)', 'relevant_rows': 'sum(is_relevant)', 'grade': 'max(grade)', 'propensity': 'max(propensity)' if plan.truth.columns.propensity else none} %}
{% set _ = columns.update(sqlrec.each(['relevance'] + sqlrec.starting(used, 'enough_'), 'coalesce(min(case when {} > 0 then {} end), 0)')) %}
-- What a place meets: each item once, with the least relevance above 0 that the truth has of it.
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
