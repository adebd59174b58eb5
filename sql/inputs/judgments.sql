-- Judgments: the rows of the truth, unchanged, under standard names.
--
--   user_id, item_id
--   grade        1 if the truth has no grades; null if it is missing or, when rows are checked, NaN
--   propensity   the probability that the item was shown to the user; null where the truth has none
--   row_order    the order of rows, if a rule reads it

{% macro judgments_of_rows(plan) %}
{% set columns = plan.truth.columns %}
-- Every judgment.
all_judgments as (
    select
        {{ columns.user_id }} as user_id,
        {{ columns.item_id }} as item_id,
        {{ sqlrec.given_grade(plan) }} as grade,
        {{ sqlrec.given_propensity(plan) }} as propensity,
        {{ sqlrec.given_order(plan.truth, 'reads_row_order' in plan.properties.truth_duplicates) }} as row_order
    from {{ plan.truth.relation }}
),
{% endmacro %}

{% macro judgments_of_lists(plan) %}
{% set user = sqlrec.named(plan.truth.columns.user_id, 'user_id') %}
-- Judgments from a column that has a list of items.
all_judgments as (
    {{ sqlrec.unnested(user ~ ', ' ~ sqlrec.given_grade(plan) ~ ' as grade, ' ~ sqlrec.given_propensity(plan) ~ ' as propensity', plan.truth.columns.item_id, 'row_order', plan.truth.relation) | trim }}
),
{% endmacro %}

-- The grade of a row, 1 if the truth has no grades, and its propensity, as doubles. If rows are
-- checked, NaN becomes null.
{% macro given_grade(plan) %}{{ sqlrec.given_number(plan, 'relevance', sqlrec.double(plan.truth.columns.relevance or 1)) }}{% endmacro %}
{% macro given_propensity(plan) %}{{ sqlrec.given_number(plan, 'propensity', sqlrec.double(plan.truth.columns.propensity or 'null')) }}{% endmacro %}
{% macro given_number(plan, name, number) %}{{ sqlrec.number(number) if plan.audit and plan.truth.columns[name] and plan.truth.floating[name] else number }}{% endmacro %}

-- 1 if a grade is missing or could overflow a sum, or a propensity is not a probability or so small
-- that its inverse could overflow; else 0.
{% macro grade_invalid(plan) %}case when grade between -{{ sqlrec.double(plan.largest_relevance) }} and {{ sqlrec.double(plan.largest_relevance) }} then 0 else 1 end{% endmacro %}
{% macro propensity_invalid() %}case when propensity = 0 or propensity between {{ sqlrec.double(1e-100) }} and 1 or propensity is null then 0 else 1 end{% endmacro %}

-- The order of the rows of a table: a column, or their position; null if no rule reads it.
{% macro given_order(table, is_read) %}{{ (table.columns.order_by or 'row_number() over ()') if is_read else 'null' }}{% endmacro %}

-- 1 where a grade reaches the threshold, else 0.
{% macro reaches_threshold(plan) -%}
{%- set least = plan.relevance_threshold -%}
{%- if least is not none and least < -plan.largest_relevance -%}
{{ sqlrec.double(1) }}
{%- else -%}
{{ sqlrec.indicator('grade > 0' if least is none else 'grade >= ' ~ sqlrec.double(least)) }}
{%- endif -%}
{%- endmacro %}

-- The probabilities that an item satisfies a user, for the scales that metrics name, and that a
-- user stops at a rank of the best list: entries of a select.
{% macro columns_of_scales(used, relevance) %}
{% for scale in (sqlrec.rests(used, 'enough_') + sqlrec.rests(used, 'best_stop_')) | unique %}
{{ sqlrec.enough_on_own_scale(relevance, 'user_id') if scale == 'own' else sqlrec.enough(sqlrec.from_name(scale) | float, relevance) }} as enough_{{ scale }},
{% endfor %}
{% endmacro %}
{% macro stops_of_best(used) -%}
{% for scale in sqlrec.rests(used, 'best_stop_') %}, {{ sqlrec.stop('enough_' ~ scale, 'partition by user_id order by best_rank asc') }} as best_stop_{{ scale }}{% endfor %}
{%- endmacro %}

-- 1 where a grade is a judgment, else 0.
{% macro is_judged(plan) -%}
{%- set least = plan.relevance_threshold -%}
{{ sqlrec.indicator('grade >= 0' if least is none or least >= 0 else 'grade >= ' ~ sqlrec.double(least)) if least is none or least >= -plan.largest_relevance else sqlrec.double(1) }}
{%- endmacro %}
