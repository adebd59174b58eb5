-- Recommendations: the rows of recs and of the baseline, unchanged, under standard names.
--
--   model        the model of the list; a constant if there is only one
--   user_id, item_id
--   score        null if it is missing or, if rows are checked, NaN
--   given_rank   the rank in recs
--   row_order    the order of rows, if a rule reads it

-- The sources of lists, and their order. `side` is the prefix of their queries in the statement,
-- and `reach` is a rank to which they are read even if cutoffs are smaller.
{% macro lists_of_recs(plan) %}
{{ return(sqlrec.derived_lists(plan, {
    'side': '',
    'table': 'recs',
    'title': 'Lists',
    'sources': plan.recs,
    'list_keys': plan.list_keys,
    'order': plan.order,
    'check_order': plan.check_order,
    'scored': plan.scored,
    'ties': plan.ties if plan.order == 'score' or 'depends_on_row_order' in plan.properties.ties else 'item_asc',
    'of_truth': plan.list_users == 'truth',
    'reach': 0,
})) }}
{% endmacro %}

{% macro all_recommended(plan, lists, name='all_recommended') %}
{{ name }} as (
    {%- for source in lists.sources %}
    {{ 'union all' if not loop.first }}
    {{ sqlrec['given_' ~ ('lists' if source.unnest else 'rows')](plan, lists, source) | trim }}
    {%- endfor %}
),
{% endmacro %}

{% macro given_rows(plan, lists, source) %}
{% set columns = source.columns %}
{% set score = sqlrec.score(plan, source) if columns.score else 'cast(null as double)' %}
{% set rank = 'cast(' ~ (columns.rank or 'null') ~ ' as bigint)' if plan.audit or not columns.rank else sqlrec.numbers_of(columns.rank) %}
    select
        {{ sqlrec.model(plan, source) if 'model' in lists.list_keys else "'recs'" }} as model,
        {{ columns.user_id }} as user_id,
        {{ score }} as score,
        {{ columns.order_by or 'row_number() over ()' if lists.depends_on_row_order else 'null' }} as row_order,
        {{ columns.item_id }} as item_id,
        {{ rank }} as given_rank
    from {{ source.relation }}
    {% if lists.order == 'score' and columns.score %}
    {{ sqlrec.where_clause([score ~ ' > 0' if plan.scores == 'positive', score ~ ' is not null' if plan.null_scores == 'drop']) }}
    {% endif %}
{% endmacro %}

{% macro given_lists(plan, lists, source) %}
{% set keys %}
        {{ sqlrec.model(plan, source) if 'model' in lists.list_keys else "'recs'" }} as model,
        {{ source.columns.user_id }} as user_id,
        cast(null as double) as score,
        null as row_order
{% endset %}
{{ sqlrec.unnested(keys | trim, source.columns.item_id, 'given_rank', source.relation) }}
{% endmacro %}

-- The score of a row. If rows are checked, NaN becomes null.
{% macro score(plan, source) -%}
{{ sqlrec.number(source.columns.score) if plan.audit and source.floating.score else sqlrec.numbers_of(source.columns.score) }}
{%- endmacro %}

-- The model of rows.
{% macro model(plan, source) -%}
{%- set model = source.columns.model if source.model is not none or not plan.audit else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models and plan.audit else model }}
{%- endmacro %}
