-- Recommendations: the rows of recs and of the baseline, unchanged, under standard names.
--
--   model        the model of the list; a constant if there is only one model
--   user_id, item_id
--   score        null if it is missing or, if rows are checked, NaN
--   given_rank   the rank in recs
--   row_order    the order of rows, if a rule reads it

{% macro all_recommended(plan, lists, name='all_recommended') %}
{% set sqlite_number = ' + 0' if adapter.type() == 'sqlite' else '' %}
{{ name }} as (
    {%- for source in lists.sources %}
    {{ 'union all' if not loop.first }}
    {% set columns = source.columns %}
    {% if source.unnest %}
    {{ sqlrec.given_lists(plan, lists, source) | trim }}
    {% else %}
    {% set score = sqlrec.score(plan, source) if columns.score and plan.audit else columns.score ~ sqlite_number if columns.score else 'cast(null as double)' %}
    select
        {{ sqlrec.model(plan, source) if 'model' in lists.list_keys else "'recs'" }} as model,
        {{ columns.user_id }} as user_id,
        {{ score }} as score,
        {{ columns.order_by or 'row_number() over ()' if lists.depends_on_row_order else 'null' }} as row_order,
        {{ columns.item_id }} as item_id,
        {{ 'cast(' ~ (columns.rank or 'null') ~ ' as bigint)' if plan.audit or not columns.rank else columns.rank ~ sqlite_number }} as given_rank
    from {{ source.relation }}
    {% if lists.order == 'score' and columns.score %}
    {% set kept = [score ~ ' > 0' if plan.scores == 'positive', score ~ ' is not null' if plan.null_scores == 'drop'] | select | join(' and ') %}
    {{ 'where ' ~ kept if kept }}
    {% endif %}
    {% endif %}
    {%- endfor %}
),
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

-- The score of a row. If rows are checked, NaN becomes null. SQLite may store numbers as text, for example if its shell
-- imported a file; adding 0 turns them into numbers.
{% macro score(plan, source) -%}
{{ sqlrec.number(source.columns.score) if plan.audit and source.floating.score else source.columns.score ~ (' + 0' if adapter.type() == 'sqlite' else '') }}
{%- endmacro %}

-- The model of rows.
{% macro model(plan, source) -%}
{%- set model = source.columns.model if source.model is not none or not plan.audit else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models and plan.audit else model }}
{%- endmacro %}
