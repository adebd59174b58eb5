-- Graded: one row per model, user of the population, cutoff and item that the truth grades for the
-- user. A user without a grade still has one row, with nulls.
--
-- Constant for a user and cutoff: k, list_length, tied as in rows/evaluated_users.sql.
--
-- By row:
--
--   grade      the item's grade as in the truth, even below 0
--   predicted  its score; null if it is not in the list within k

{% macro graded(plan, kind, used) %}
-- Each item that the truth grades, with its score within the cutoff.
graded as (
    select evaluated_users.*, relevant.grade,
        case when listed.rank <= evaluated_users.k then cast(listed.score as double) end as predicted
    from evaluated_users
    left join relevant on relevant.user_id = evaluated_users.user_id
    left join listed
        on listed.model = evaluated_users.model and listed.user_id = evaluated_users.user_id
        and listed.item_id = relevant.item_id
),
{% endmacro %}

-- Expressions over the rows: the numbers of a user's items with both score and grade, with a score,
-- and with a grade of at least the threshold.
{% macro found_items(threshold) -%}
{%- set least = sqlrec.double(threshold) -%}
{{ sqlrec.count_where('predicted >= ' ~ least ~ ' and grade >= ' ~ least) }}
{%- endmacro %}
{% macro predicted_items(threshold) %}{{ sqlrec.count_where('predicted >= ' ~ sqlrec.double(threshold)) }}{% endmacro %}
{% macro items_with_grade(threshold) %}{{ sqlrec.count_where('grade >= ' ~ sqlrec.double(threshold)) }}{% endmacro %}

-- The number of rows for which a condition is true.
{% macro count_where(condition) %}sum({{ sqlrec.indicator(condition) }}){% endmacro %}
