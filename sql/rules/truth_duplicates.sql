-- truth_duplicates: truth that names an item more than once. Macro `truth_duplicates__VALUE` is the
-- query `judgments_counted` of that value: the rows that count. Ranks of lists are joined with `first_judgments`. The option `duplicates`
-- sets this rule too, if the value exists here; otherwise repeats in the truth are errors.

-- The properties of each value (see sqlrec/rules.py).
{% macro truth_duplicates_properties() %}
{{ return({
    'error': ['refuses_repeats'],
    'best': ['removes_repeats'],
    'last': ['removes_repeats', 'depends_on_row_order'],
    'first': ['removes_repeats', 'depends_on_row_order'],
    'rows': ['keeps_repeats', 'joins_once'],
    'joined': ['keeps_repeats', 'not_by_relevance'],
    'summed': ['keeps_repeats', 'joins_once', 'not_by_relevance', 'adds_up_rows'],
    'lines': ['keeps_repeats', 'joins_once', 'not_by_relevance', 'rows_of_users', 'ranks_rows'],
}) }}
{% endmacro %}

{% macro invalid_judgments(plan) %}
-- Judgments that break a rule, before repeats are removed.
invalid_judgments as (
    select user_id, item_id, violation, 1 as violations
    from (
        select user_id, item_id,
            case
                {{ 'when ' ~ sqlrec.grade_invalid(plan) ~ " = 1 then 'truth_relevance'" if plan.truth.columns.relevance }}
                {{ 'when ' ~ sqlrec.propensity_invalid() ~ " = 1 then 'truth_propensity'" if plan.checks_propensity }}
            end as violation
        from all_judgments
    ) as checked_judgments
    where violation is not null
),
{% endmacro %}

-- error: rejects an item twice in the truth.
{% macro truth_duplicates__error(plan) %}
judgments_counted as (
    select user_id, item_id, grade, propensity
    from all_judgments
),
{% endmacro %}

-- best: counts an item of the truth once. It has its best grade.
{% macro truth_duplicates__best(plan) %}
-- An item is judged once, by its best grade.
judgments_counted as (
    select user_id, item_id, max(grade) as grade, max(propensity) as propensity
    from all_judgments
    group by user_id, item_id
),
{% endmacro %}

-- first: counts an item of the truth once, with the grade of its first row. Among
-- rows with equal positions, the best grade counts.
{% macro truth_duplicates__first(plan) %}{{ sqlrec.judgments_by_row(plan, 'asc') }}{% endmacro %}

-- last: counts an item of the truth once, with the grade of its last row.
{% macro truth_duplicates__last(plan) %}{{ sqlrec.judgments_by_row(plan, 'desc') }}{% endmacro %}
{% macro judgments_by_row(plan, direction) %}
-- The rows of each item in order.
numbered_judgments as (
    select user_id, item_id, grade, propensity,
        row_number() over (
            partition by user_id, item_id
            order by case when row_order is null then 1 else 0 end asc, row_order {{ direction }}, {{ sqlrec.descending('grade', 'last') }}
        ) as repeat_number
    from all_judgments
),
-- An item is judged once, by its {{ plan.truth_duplicates }} grade.
judgments_counted as (
    select user_id, item_id, max(case when repeat_number = 1 then grade end) as grade, max(propensity) as propensity
    from numbered_judgments
    group by user_id, item_id
),
{% endmacro %}

-- rows: counts each row of the truth as an item of the user, but a hit only once, with the item's
-- lowest grade above 0.
{% macro truth_duplicates__rows(plan) %}{{ sqlrec.truth_duplicates__error(plan) }}{% endmacro %}

-- joined: counts each row of the truth as a separate item and a separate hit.
{% macro truth_duplicates__joined(plan) %}{{ sqlrec.truth_duplicates__error(plan) }}{% endmacro %}

-- summed: counts each row of the truth as a separate item, and each rank once, with all truth rows of its item among
-- the hits so far.
{% macro truth_duplicates__summed(plan) %}{{ sqlrec.truth_duplicates__error(plan) }}{% endmacro %}

-- lines: counts each row of the truth as a separate item, and as a hit at a separate rank.
{% macro truth_duplicates__lines(plan) %}{{ sqlrec.truth_duplicates__error(plan) }}{% endmacro %}

-- The judgments with which ranks are joined.
{% macro first_judgments(plan) %}
{% if 'joins_once' in plan.properties.truth_duplicates or plan.sorts_by_grade and 'refuses_repeats' in plan.properties.truth_duplicates %}
-- Each item once, with its lowest relevance above 0.
first_judgments as (
    select user_id, item_id,
        max(is_relevant) as is_relevant,
        max(is_judged) as is_judged,
        max(is_top) as is_top,
        sum(is_relevant) as relevant_rows,
        max(grade) as grade,
        max(propensity) as propensity,
        {% for scale in sqlrec.name_suffixes(plan.used, 'enough_') %}coalesce(min(case when enough_{{ scale }} > 0 then enough_{{ scale }} end), 0) as enough_{{ scale }}, {% endfor %}
        coalesce(min(case when relevance > 0 then relevance end), 0) as relevance
    from relevant
    group by user_id, item_id
),
{% else %}
first_judgments as (
    select *
    from relevant
),
{% endif %}
{% endmacro %}

-- Lines: one row per item of a list and row of the truth for its item; one row for a rank without
-- a row of the truth.
--
--   list_rank   the rank in the list
--   rank        the number of the line, from 1
--
-- Line counts: the number of lines of the ranks within a cutoff, which replaces the list's length.
{% macro lines(plan) %}
-- The lines of each list: its ranks, each repeated for each row of the truth.
lines as (
    select listed.model, listed.user_id, listed.item_id, listed.rank as list_rank,
        row_number() over (partition by listed.model, listed.user_id order by listed.rank asc) as rank,
        row_number() over (partition by listed.model, listed.user_id order by listed.rank asc) as counted_rank
    from listed
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id and relevant.is_relevant > 0
),
-- The number of lines of the ranks within a cutoff.
line_counts as (
    select lines.model, lines.user_id, cutoffs.k, count(*) as list_length
    from lines
    cross join cutoffs
    where lines.list_rank <= cutoffs.k
    group by lines.model, lines.user_id, cutoffs.k
),
{% endmacro %}
