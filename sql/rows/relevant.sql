-- Relevant: one row per item that the truth judges for a user.
--
--   user_id         the user
--   item_id         the item
--   relevance       the item's grade as a double; 1 if the truth has no grades, 0 for a grade below
--                   0
--   is_relevant     1 if the item counts as relevant, else 0; a double, so counts divide without a cast
--   is_judged       1 if the item is judged. A grade below 0 marks an item that was pooled but not judged, unless it
--                   counts as relevant
--   is_top          1 if no item of the user has a higher grade, else 0
--   grade           the item's grade as in the truth, even below 0; 1 if the truth has no grades
--   propensity      the probability that the item was shown to the user; null if the truth has no propensities
--   best_rank       the item's rank in the best list of the user's items
--   enough_<max_grade>  the probability that the item satisfies a user who reads down to it, (2^g - 1) / 2^max_grade
--   enough_own      like enough_<max_grade>, for the highest grade of the user's items
--   best_stop_<max_grade>  the probability that a user who reads the best list stops at the item's
--                          rank
--   grade_invalid  1 if the grade is missing, or too large for sums; else 0
--   propensity_invalid  1 if the propensity is not a probability, or is too small to divide by; else 0
--   is_repeat       1 if the row before has the same user and item; only in DuckDB and Spark
--                   (engines/duckdb.sql), else 0
--
-- If the truth may repeat an item, all rows are kept; `first_judgments` then contains each item
-- once.
--
-- Truth users: one row per user of the truth.
--
--   judged_items    number of judged items
--   relevant_items  number of relevant items
--   items_with_gain  number of items with a gain, a relevance above 0
--   distinct_gains  number of different gains above 0
--   ideal_items     number of items in the best list, which are relevant or have a relevance above
--                   0
--   nonrelevant_items  number of judged items that are not relevant; a grade below 0 is not a
--                      judgment
--   ideal_...       value of the user's best list (see rows/ideal.sql)
--   violations      broken rules: a missing user or item, a missing or too large grade, a repeated
--                   item

{% macro relevant(plan) %}
{% for ideal in plan.ideals if ideal.source == 'users' and ideal.form[:4] == 'err_' %}{% set _ = plan.used.append('best_stop_' ~ ideal.form[4:]) %}{% endfor %}
{% set scales = modules.re.findall('\\b(?:enough|best_stop)_(\\w+)', plan.used | join(' ')) | unique | list %}
{{ sqlrec['judgments_of_' ~ ('lists' if plan.truth.unnest else 'rows')](plan) }}
{{ sqlrec.invalid_judgments(plan) if plan.checks_judgments_first }}
{{ sqlrec['truth_duplicates__' ~ plan.truth_duplicates](plan) }}
{% if plan.is_repeat and 'refuses_repeats' in plan.properties.truth_duplicates and adapter.type() == 'duckdb' %}
{{ sqlrec.judgments_in_order(plan) }}
{% else %}
judgments as (
    select *, {{ plan.is_repeat or 0 }} as is_repeat
    from judgments_counted
),
{% endif %}
{% if plan.has_grades %}
-- Each user's judged items.
judged_rows as (
    select user_id, item_id, grade, propensity, is_repeat,
        case when grade > 0 then grade else 0 end as relevance,
        {{ sqlrec.reaches_threshold(plan) }} as is_relevant,
        {{ sqlrec.is_judged(plan) }} as is_judged,
        cast(case when grade >= max(grade) over (partition by user_id) then 1 else 0 end as double) as is_top,
        row_number() over (partition by user_id order by grade desc, item_id asc) as best_rank,
        {{ sqlrec.columns_of_scales(scales, 'case when grade > 0 then grade else 0 end') if scales }}
        {{ sqlrec.grade_invalid(plan) }} as grade_invalid,
        {{ sqlrec.propensity_invalid() if plan.checks_propensity else 0 }} as propensity_invalid
    from judgments
),
{% else %}
-- Each user's relevant items.
judged_rows as (
    select user_id, item_id, grade, propensity, is_repeat,
        cast(1 as double) as relevance,
        cast(1 as double) as is_relevant,
        cast(1 as double) as is_judged,
        cast(1 as double) as is_top,
        row_number() over (partition by user_id order by item_id asc) as best_rank,
        {{ sqlrec.columns_of_scales(scales, 'cast(1 as double)') if scales }}
        0 as grade_invalid,
        {{ sqlrec.propensity_invalid() if plan.checks_propensity else 0 }} as propensity_invalid
    from judgments
),
{% endif %}
{#- PostgreSQL knows statistics of a named query only if the query is inlined into its readers. #}
relevant as {{ 'not materialized ' if adapter.type() == 'postgres' and 'refuses_repeats' in plan.properties.truth_duplicates and not plan.truth.unnest }}(
    select *{% for name in plan.used if name[:10] == 'best_stop_' %}, {{ sqlrec.stop_probability('enough_' ~ name[10:], 'partition by user_id order by best_rank asc') }} as {{ name }}{% endfor %}

    from judged_rows
),
{% endmacro %}

{% macro truth_users(plan) %}
-- The users of the truth, with totals over their items.
truth_users as (
    select user_id,
        count(*) as judged_items,
        cast(sum(is_relevant) as bigint) as relevant_items,
        count(case when relevance > 0 then 1 end) as items_with_gain,
        count(distinct case when relevance > 0 then relevance end) as distinct_gains,
        cast(sum(case when relevance > 0 or is_relevant > 0 then 1 else 0 end) as bigint) as ideal_items,
        cast(sum(case when grade >= 0 and is_relevant = 0 then 1 else 0 end) as bigint) as nonrelevant_items,
        {% for ideal in plan.ideals %}{% for name, sum in ideal.sums.items() %}{{ sum }} as {{ name }}, {% endfor %}{% endfor %}

        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {{ '+ sum(grade_invalid)' if plan.has_grades and not plan.checks_judgments_first }}
        {{ '+ ' ~ ('sum(is_repeat)' if plan.is_repeat else 'count(item_id) - count(distinct item_id)') if 'refuses_repeats' in plan.properties.truth_duplicates }}
        {{ '+ sum(propensity_invalid)' if plan.checks_propensity and not plan.checks_judgments_first }} as violations
    from relevant
    group by user_id
),
{% endmacro %}
