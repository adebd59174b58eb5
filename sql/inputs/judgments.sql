-- Judgments: the rows of the truth, unchanged, under standard names.
--
--   user_id, item_id
--   grade        1 if the truth has no grades; null if it is missing or, when rows are checked, NaN
--   propensity   the probability that the item was shown to the user; null if the truth has no propensities
--   row_order    the order of rows, if a rule reads it

{% macro judgments_of_rows(plan) %}
{% set columns = plan.truth.columns %}
-- Every judgment.
all_judgments as (
    select
        {{ columns.user_id }} as user_id,
        {{ columns.item_id }} as item_id,
        {{ sqlrec.input_number(plan, 'relevance') if columns.relevance else 'cast(1 as double)' }} as grade,
        {{ sqlrec.input_number(plan, 'propensity') if columns.propensity else 'cast(null as double)' }} as propensity,
        {{ columns.order_by or 'row_number() over ()' if 'depends_on_row_order' in plan.properties.truth_duplicates else 'null' }} as row_order
    from {{ plan.truth.relation }}
),
{% endmacro %}

{% macro judgments_of_lists(plan) %}
{% set columns = plan.truth.columns %}
{% set user = sqlrec.with_alias(columns.user_id, 'user_id') %}
{% set grade = sqlrec.input_number(plan, 'relevance') if columns.relevance else 'cast(1 as double)' %}
{% set propensity = sqlrec.input_number(plan, 'propensity') if columns.propensity else 'cast(null as double)' %}
-- Judgments from a column of lists of items.
all_judgments as (
    {{ sqlrec.unnested(user ~ ', ' ~ grade ~ ' as grade, ' ~ propensity ~ ' as propensity', columns.item_id, 'row_order', plan.truth.relation) | trim }}
),
{% endmacro %}

-- A number column as a double. If rows are checked, NaN becomes null.
{% macro input_number(plan, name) -%}
{%- set number = 'cast(' ~ plan.truth.columns[name] ~ ' as double)' -%}
{{ sqlrec.number(number) if plan.audit and plan.truth.floating[name] else number }}
{%- endmacro %}

-- 1 if a grade is missing or could overflow a sum, or if a propensity is not a probability or is too small to divide
-- by; else 0.
{% macro grade_invalid(plan) %}case when grade between -{{ sqlrec.double(plan.largest_relevance) }} and {{ sqlrec.double(plan.largest_relevance) }} then 0 else 1 end{% endmacro %}
{% macro propensity_invalid() %}case when propensity = 0 or propensity between 1e-100 and 1 or propensity is null then 0 else 1 end{% endmacro %}

-- 1 if a grade reaches the threshold, else 0.
{% macro reaches_threshold(plan) -%}
{%- set least = plan.relevance_threshold -%}
{%- if least is not none and least < -plan.largest_relevance -%}
cast(1 as double)
{%- else -%}
{{ sqlrec.indicator('grade > 0' if least is none else 'grade >= ' ~ sqlrec.double(least)) }}
{%- endif -%}
{%- endmacro %}

-- The probabilities that an item satisfies a user, for the scales that metrics name: entries of a select.
{% macro columns_of_scales(scales, relevance) %}
{% for scale in scales %}
{{ sqlrec.satisfaction_on_own_scale(relevance, 'user_id') if scale == 'own' else sqlrec.satisfaction(sqlrec.from_name(scale) | float, relevance) }} as enough_{{ scale }},
{% endfor %}
{% endmacro %}

-- 1 if a grade is a judgment, else 0.
{% macro is_judged(plan) -%}
{%- set least = plan.relevance_threshold -%}
{{ sqlrec.indicator('grade >= 0' if least is none or least >= 0 else 'grade >= ' ~ sqlrec.double(least)) if least is none or least >= -plan.largest_relevance else 'cast(1 as double)' }}
{%- endmacro %}
