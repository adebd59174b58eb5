-- Recommendations: the rows of recs and of the baseline, unchanged, under standard names.
--
--   model        the model of the list; a constant if there is only one
--   user_id, item_id
--   score        null where it is missing or, where rows are checked, NaN
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
    'ties': plan.ties if plan.order == 'score' or plan.ties == 'first' else 'item_asc',
    'of_truth': plan.listed == 'truth',
    'reach': 0,
})) }}
{% endmacro %}

{% macro all_recommended(plan, lists) %}
all_recommended as (
    {%- for source in lists.sources %}
    {{ 'union all' if not loop.first }}
    {{ sqlrec['given_' ~ ('lists' if source.unnest else 'rows')](plan, lists, source) | trim }}
    {%- endfor %}
),
{% endmacro %}

{% macro given_rows(plan, lists, source) %}
    select
        {{ sqlrec.model_of(plan, lists, source) }} as model,
        {{ source.columns.user_id }} as user_id,
        {{ sqlrec.given_score(plan, source) }} as score,
        {{ sqlrec.given_order(source, lists.reads_row_order) }} as row_order,
        {{ source.columns.item_id }} as item_id,
        {{ sqlrec.given_rank(plan, source) }} as given_rank
    from {{ source.relation }}
    {{ sqlrec.where_clause(sqlrec.scores_kept(plan, lists, source)) }}
{% endmacro %}

{% macro given_lists(plan, lists, source) %}
{% set keys %}
        {{ sqlrec.model_of(plan, lists, source) }} as model,
        {{ source.columns.user_id }} as user_id,
        {{ sqlrec.double('null') }} as score,
        null as row_order
{% endset %}
{{ sqlrec.unnested(keys | trim, source.columns.item_id, 'given_rank', source.relation) }}
{% endmacro %}

-- The score and the rank of a row, null if the table does not have the column.
{% macro score(plan, source) -%}
{{ sqlrec.number(source.columns.score) if plan.audit and source.floating.score else sqlrec.numbers_of(source.columns.score) }}
{%- endmacro %}
{% macro given_score(plan, source) %}{{ sqlrec.score(plan, source) if source.columns.score else sqlrec.double('null') }}{% endmacro %}
{% macro given_rank(plan, source) -%}
{%- if not source.columns.rank -%}
cast(null as bigint)
{%- else -%}
{{ 'cast(' ~ source.columns.rank ~ ' as bigint)' if plan.audit else sqlrec.numbers_of(source.columns.rank) }}
{%- endif -%}
{%- endmacro %}

-- Conditions for the rows that rules for scores keep.
{% macro scores_kept(plan, lists, source) %}
{% set of_score = lists.order == 'score' and source.columns.score %}
{{ return([
    sqlrec.score(plan, source) ~ ' > 0' if of_score and plan.scores == 'positive',
    sqlrec.score(plan, source) ~ ' is not null' if of_score and plan.null_scores == 'drop'
]) }}
{% endmacro %}

-- The model of rows, a constant if there is only one.
{% macro model_of(plan, lists, source) %}{{ sqlrec.model(plan, source) if 'model' in lists.list_keys else "'recs'" }}{% endmacro %}
{% macro model(plan, source) -%}
{%- set model = source.columns.model if source.model is not none or not plan.audit else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models and plan.audit else model }}
{%- endmacro %}
