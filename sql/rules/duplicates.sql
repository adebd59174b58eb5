-- duplicates: lists that name an item more than once. A macro's name has the rule's value; each is the query
-- `distinct_items`, of the rows that are ranked.
--
--   repeats   how many rows of the item are left out

-- error: an item twice breaks a rule.
{% macro duplicates__error(plan, lists) %}
distinct_items as (
    select model, user_id, item_id, given_rank, score, row_order, 0 as repeats
    from lists_given
),
{% endmacro %}

-- best: an item counts once, at its best place.
{% macro duplicates__best(plan, lists, rows='lists_given') %}
-- An item counts once in a list, at its best place.
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

-- best_in_cut: the same of the rows that the largest cutoff leaves. Where the order of rows decides between equal
-- scores, the place says it: an item then stands where its best row stood.
{% macro duplicates__best_in_cut(plan, lists) %}
{% if lists.side == 'baseline_' %}{{ return(sqlrec.duplicates__best(plan, lists)) }}{% endif %}
{% set by_item = not sqlrec.goes_by_row(plan, lists) and lists.ties in ['best', 'worst', 'first'] %}
-- The rows of lists by their place.
rows_in_lists as (
    select model, user_id, item_id, given_rank, score,
        row_number() over (
            partition by model, user_id
            order by {{ sqlrec.by_score(plan) if lists.order == 'score' else 'given_rank asc' }}, {{ sqlrec.by_item('asc') if by_item else sqlrec.among_equals(plan, lists) }}
        ) as row_order
    from lists_given
),
-- Lists are cut before items are counted once.
truncated_lists as (
    select model, user_id, item_id, given_rank, score, row_order
    from rows_in_lists
    where row_order <= {{ plan.largest_k or plan.whole_list }}
),
{{ sqlrec.duplicates__best(plan, lists, 'truncated_lists') }}
{% endmacro %}

-- first, last: an item counts once, with its first or last row.
{% macro duplicates__first(plan, lists) %}{{ sqlrec['distinct_by_' ~ ('column' if sqlrec.has_row_order(plan) else 'row')](plan, lists, 'asc', 'arg_min') }}{% endmacro %}
{% macro duplicates__last(plan, lists) %}{{ sqlrec['distinct_by_' ~ ('column' if sqlrec.has_row_order(plan) else 'row')](plan, lists, 'desc', 'arg_max') }}{% endmacro %}

-- By the column that orders rows; of rows alike in it, the best.
{% macro distinct_by_column(plan, lists, direction, of_row) %}
numbered_rows as (
    select model, user_id, item_id, given_rank, score, row_order,
        row_number() over (
            partition by model, user_id, item_id
            order by case when row_order is null then 1 else 0 end asc, row_order {{ direction }},
                {{ sqlrec.descending('score', 'last') if lists.order == 'score' else 'given_rank asc' }}
        ) as repeat_number
    from lists_given
),
-- An item counts once in a list, at its {{ plan.duplicates }} place.
distinct_items as (
    select model, user_id, item_id,
        max(case when repeat_number = 1 then given_rank end) as given_rank,
        max({{ 'case when repeat_number = 1 then score end' if lists.order == 'score' else 'score' }}) as score,
        min(row_order) as row_order,
        count(*) - 1 as repeats
    from numbered_rows
    group by model, user_id, item_id
),
{% endmacro %}

-- By where rows stand, which DuckDB alone knows.
{% macro distinct_by_row(plan, lists, direction, of_row) %}
-- An item counts once in a list, at its {{ plan.duplicates }} place.
distinct_items as (
    select model, user_id, item_id,
        {{ of_row }}(given_rank, row_order) as given_rank,
        {{ of_row ~ '(score, row_order)' if lists.order == 'score' else 'max(score)' }} as score,
        min(row_order) as row_order,
        count(*) - 1 as repeats
    from lists_given
    group by model, user_id, item_id
),
{% endmacro %}

-- places: an item takes a place each time, and is a hit each time.
{% macro duplicates__places(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- once: the same, and it is a hit at its first place alone (rules/places.sql).
{% macro duplicates__once(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- outer, outer_in_k, crossed: the same, and it is to be found as often (rules/sought.sql).
{% macro duplicates__outer(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}
{% macro duplicates__outer_in_k(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}
{% macro duplicates__crossed(plan, lists) %}{{ sqlrec.duplicates__error(plan, lists) }}{% endmacro %}

-- How many rows are left out: of users where these are told apart by segments, who say of which they are.
{% macro repeated_of_users(plan, lists) %}
repeated as (
    select model, user_id, sum(repeats) as repeated_rows
    from distinct_items
    group by model, user_id
),
{% endmacro %}
{% macro repeated_of_models(plan, lists) %}
repeated as (
    select model, sum(repeats) as repeated_rows
    from distinct_items
    group by model
),
{% endmacro %}

-- Whether an item counts once, and whether the order of rows decides anything.
{% macro counts_once(plan) %}{{ return(plan.duplicates in ['best', 'best_in_cut', 'first', 'last']) }}{% endmacro %}
{% macro goes_by_row(plan, lists) %}{{ return(lists.ties == 'first' and lists.order == 'score' or plan.duplicates in ['first', 'last']) }}{% endmacro %}

-- Whether a column orders the rows of lists, and not where they stand.
{% macro has_row_order(plan) %}{{ return(plan.recs[0].columns.order_by is not none) }}{% endmacro %}
