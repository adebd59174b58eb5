-- duplicates: lists that contain an item more than once. The macro `duplicates__VALUE` is the query
-- `distinct_items` for this value: the rows to rank.
--
--   row_order  the position of the row that counts, which orders equal scores with ties=first
--   repeats    number of excluded rows of the item

-- The properties of each value (see sqlrec/rules.py).
{% macro duplicates_properties() %}
{{ return({
    'error': ['refuses_repeats'],
    'best': ['removes_repeats'],
    'ranks': ['keeps_repeats'],
    'once': ['keeps_repeats', 'not_by_relevance', 'hits_once'],
    'first': ['removes_repeats', 'depends_on_row_order'],
    'last': ['removes_repeats', 'depends_on_row_order'],
    'overwritten': ['removes_repeats', 'depends_on_row_order'],
    'best_in_cut': ['removes_repeats', 'depends_on_cutoffs'],
    'outer': ['keeps_repeats', 'not_by_relevance', 'repeats_are_relevant', 'rows_of_users', 'depends_on_lower_ranks', 'same_for_cutoffs'],
    'outer_in_k': ['keeps_repeats', 'not_by_relevance', 'repeats_are_relevant', 'rows_of_users', 'depends_on_cutoffs'],
    'crossed': ['keeps_repeats', 'not_by_relevance', 'repeats_are_relevant', 'rows_of_users', 'depends_on_lower_ranks', 'crosses_ranks'],
}) }}
{% endmacro %}

-- error: rejects an item twice in a list.
{% macro duplicates__error(plan, lists) %}
distinct_items as (
    select model, user_id, item_id, given_rank, score, row_order, 0 as repeats
    from lists_read
),
{% endmacro %}

-- best: counts an item of a list once, at its best rank. If the order of rows breaks ties, the item has the position of
-- the first of its rows with the best score.
{% macro duplicates__best(plan, lists) %}
{% if lists.depends_on_row_order %}
{{ sqlrec.distinct_by_order(plan, lists, sqlrec.descending('score', 'last') ~ ', ' ~ lists.among_equals) }}
{% else %}
{{ sqlrec.best_of_rows('lists_read') }}
{% endif %}
{% endmacro %}
{% macro best_of_rows(rows) %}
-- An item counts once in a list, at its best rank.
distinct_items as (
    select model, user_id, item_id,
        min(given_rank) as given_rank,
        max(score) as score,
        min(row_order) as row_order,
        count(*) - 1 as repeats
    from {{ rows }}
    group by model, user_id, item_id
),
{% endmacro %}

-- best_in_cut: cuts lists at the largest cutoff, and then counts an item once, at its best rank.
-- If the order of rows breaks ties, an item keeps the rank of its best row.
{% macro duplicates__best_in_cut(plan, lists) %}
{% if lists.side == 'baseline_' %}{{ return(sqlrec.best_of_rows('lists_read')) }}{% endif %}
{% set by_item = not lists.depends_on_row_order and (lists.sorts_by_grade or 'depends_on_row_order' in plan.properties.ties) %}
-- The rows of lists by their rank.
rows_in_lists as (
    select model, user_id, item_id, given_rank, score,
        row_number() over (
            partition by model, user_id
            order by {{ lists.by_score if lists.order == 'score' else 'given_rank asc' }}, {{ sqlrec.by_item('asc') if by_item else lists.among_equals }}
        ) as row_order
    from lists_read
),
-- Lists are cut before repeats are removed.
truncated_lists as (
    select model, user_id, item_id, given_rank, score, row_order
    from rows_in_lists
    where row_order <= {{ plan.largest_k or plan.whole_list }}
),
{{ sqlrec.best_of_rows('truncated_lists') }}
{% endmacro %}

-- first: counts an item of a list once, with the score of its first row.
{% macro duplicates__first(plan, lists) %}
{{ sqlrec.distinct_by_column(plan, lists, 'asc') if sqlrec.has_row_order(plan) else sqlrec.distinct_by_position(plan, lists, 'min') }}
{% endmacro %}

-- last: counts an item of a list once, with the score of its last row.
{% macro duplicates__last(plan, lists) %}
{{ sqlrec.distinct_by_column(plan, lists, 'desc') if sqlrec.has_row_order(plan) else sqlrec.distinct_by_position(plan, lists, 'max') }}
{% endmacro %}

-- overwritten: counts an item of a list once, at the position of its first row, with the score of its last row. The
-- keys of a dict in Python have this order.
{% macro duplicates__overwritten(plan, lists) %}
{{ sqlrec.distinct_by_column(plan, lists, 'desc', 'min(row_order)') if sqlrec.has_row_order(plan) else sqlrec.distinct_by_position(plan, lists, 'max', 'min') }}
{% endmacro %}

-- Orders rows by the column order_by; of rows with equal values, the best row comes first.
{% macro distinct_by_column(plan, lists, direction, place=none) %}
{% set best = sqlrec.descending('score', 'last') if lists.order == 'score' else 'given_rank asc' %}
{{ sqlrec.distinct_by_order(plan, lists, 'case when row_order is null then 1 else 0 end asc, row_order ' ~ direction ~ ', ' ~ best, place) }}
{% endmacro %}

{% macro distinct_by_order(plan, lists, order, place=none) %}
-- The rows of each item; the row that counts is first.
numbered_rows as (
    select model, user_id, item_id, given_rank, score, row_order,
        row_number() over (partition by model, user_id, item_id order by {{ order }}) as repeat_number
    from lists_read
),
-- An item counts once in a list.
distinct_items as (
    select model, user_id, item_id,
        max(case when repeat_number = 1 then given_rank end) as given_rank,
        max({{ 'case when repeat_number = 1 then score end' if lists.order == 'score' else 'score' }}) as score,
        {{ place or 'max(case when repeat_number = 1 then row_order end)' }} as row_order,
        count(*) - 1 as repeats
    from numbered_rows
    group by model, user_id, item_id
),
{% endmacro %}

-- Orders rows by their position, which only DuckDB preserves.
{% macro distinct_by_position(plan, lists, end, place=none) %}
-- An item counts once in a list.
distinct_items as (
    select model, user_id, item_id,
        arg_{{ end }}_null(given_rank, row_order) as given_rank,
        {{ 'arg_' ~ end ~ '_null(score, row_order)' if lists.order == 'score' else 'max(score)' }} as score,
        {{ place or end }}(row_order) as row_order,
        count(*) - 1 as repeats
    from lists_read
    group by model, user_id, item_id
),
{% endmacro %}

-- ranks: counts a repeated item of a list at each of its ranks, each time as a hit.
{% macro duplicates__ranks(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- once: keeps all ranks of a repeated item of a list, but counts only the first as a hit.
{% macro duplicates__once(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}
{% macro first_ranks(plan) %}
first_ranks as (
    select model, user_id, item_id, min(rank) as rank, min(counted_rank) as counted_rank
    from listed
    group by model, user_id, item_id
),
{% endmacro %}

-- outer: counts a repeated item of a list as several hits and several relevant items, even below
-- rank {k}. See rules/relevant_copies.sql.
{% macro duplicates__outer(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- outer_in_k: counts an item that a list repeats within {k} as several hits and several relevant items.
{% macro duplicates__outer_in_k(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- crossed: joins list rows within {k} with all truth rows of their item, and counts each pair as a hit and as a
-- relevant item.
{% macro duplicates__crossed(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- The rules for rows before repeats are removed: the end of the violation's name, and a condition
-- for rows that break the rule. Empty if no repeats are removed.
{% macro rules_of_rows(plan, lists) %}
{% if 'removes_repeats' not in plan.properties.duplicates %}{{ return([]) }}{% endif %}
{% set within = ' and given_rank <= ' ~ lists.last_counted %}
{% set by_rank = [
    ('rank', 'given_rank is null or given_rank < 1'),
    ('order', 'score is null' ~ within if lists.check_order),
    ('unscored', sqlrec.unscored(plan, 'rank') ~ ' = 1' ~ within if lists.scored),
] %}
{% set by_score = [('score', 'score is null' if plan.null_scores == 'error')] %}
{{ return((by_rank if lists.order == 'rank' else by_score) | selectattr(1) | list) }}
{% endmacro %}
{% macro invalid_rows(plan, lists) %}
-- Rows that break a rule, before repeats are removed.
invalid_rows as (
    select model, user_id, item_id, rank, violation, 1 as violations
    from (
        select model, user_id, item_id, given_rank as rank,
            case{% for name, condition in lists.rules_of_rows %} when {{ condition }} then '{{ lists.table }}_{{ name }}'{% endfor %} end as violation
        from lists_read
    ) as checked_rows
    where violation is not null
),
{% endmacro %}

-- True if a column orders the rows of lists, instead of their position.
{% macro has_row_order(plan) %}{{ return(plan.recs[0].columns.order_by is not none) }}{% endmacro %}
