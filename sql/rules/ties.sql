-- ties: the order of items with equal scores. The text of the macro `ties__VALUE` is the sort order
-- after the score.

-- The properties of each value (see sqlrec/rules.py).
{% macro ties_properties() %}
{{ return({
    'item_asc': [],
    'item_desc': [],
    'text_asc': [],
    'text_desc': [],
    'first': ['depends_on_row_order'],
    'best': ['reads_grades', 'sorts_by_grade'],
    'worst': ['reads_grades', 'sorts_by_grade'],
    'shared': ['shares_discounts'],
    'expected': ['reads_grades', 'rows_of_users', 'keeps_equal_scores'],
}) }}
{% endmacro %}

-- item_asc: puts the smaller id first among equal scores.
{% macro ties__item_asc(plan) %}{{ sqlrec.by_item('asc') if plan.audit else 'item_id asc' }}{% endmacro %}

-- item_desc: puts the larger id first among equal scores.
{% macro ties__item_desc(plan) %}{{ sqlrec.items_in_order(plan, 'desc') }}{% endmacro %}

-- text_asc: puts the smaller id first among equal scores, numbers read as text.
{% macro ties__text_asc(plan) %}{{ sqlrec.by_text('asc', 'item_id') }}{% endmacro %}

-- text_desc: puts the larger id first among equal scores, numbers read as text.
{% macro ties__text_desc(plan) %}{{ sqlrec.by_text('desc', 'item_id') }}{% endmacro %}

-- first: puts the earlier row first among equal scores. Equal values of the column order_by are
-- ordered by item.
{% macro ties__first(plan) -%}
{{ 'case when row_order is null then 1 else 0 end asc, row_order asc, ' ~ sqlrec.items_in_order(plan) if sqlrec.has_row_order(plan) else 'row_order asc' }}
{%- endmacro %}

-- best: puts the most relevant item first among equal scores.
{% macro ties__best(plan) %}relevance desc, is_relevant desc, {{ sqlrec.items_in_order(plan) }}{% endmacro %}

-- worst: puts the least relevant item first among equal scores.
{% macro ties__worst(plan) %}relevance asc, is_relevant asc, {{ sqlrec.items_in_order(plan) }}{% endmacro %}

-- shared: gives items with equal scores the mean discount of their ranks. The order is by item
-- (see shared_ranks).
{% macro ties__shared(plan) %}{{ sqlrec.items_in_order(plan) }}{% endmacro %}

-- expected: computes the mean over all orders of items with equal scores. The order is by item
-- (see rows/expected.sql).
{% macro ties__expected(plan) %}{{ sqlrec.items_in_order(plan) }}{% endmacro %}

-- Items in the order of their ids; the plain form uses the database's sort order.
{% macro items_in_order(plan, direction='asc', item='item_id') %}{{ sqlrec.by_item(direction, item) if plan.audit else item ~ ' ' ~ direction }}{% endmacro %}

-- Recommendations with grades, for ties that read the truth.
{% macro recommendations_with_grades(plan, lists) %}
-- Each recommendation with its grade, which orders equal scores.
recommendations_with_grades as (
    select distinct_items.model, distinct_items.user_id, distinct_items.item_id, distinct_items.given_rank, distinct_items.score, distinct_items.row_order,
        coalesce(relevant.relevance, 0) as relevance,
        coalesce(relevant.is_relevant, 0) as is_relevant
    from distinct_items
    left join first_judgments as relevant
        on relevant.user_id = distinct_items.user_id and relevant.item_id = distinct_items.item_id
),
{% endmacro %}

-- Items with equal scores share the discounts of their ranks.
{% macro shared_ranks(plan, lists) %}
-- Items with equal scores share the discounts of their ranks.
sharing as (
    select model, user_id, item_id, score, rank, rank_invalid, tied,
        {% for k in plan.cutoffs %}
        {{ sqlrec.mean('case when rank <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'rank') ~ ' else 0 end') }}
            over (partition by model, user_id, {{ sqlrec.part_of('score') }}) as shared_{{ plan.cutoff_names[k] }},
        {% endfor %}
        ranks_above
    from ranked
    {{ 'where rank <= ' ~ plan.ends if plan.ends }}
),
{% endmacro %}
