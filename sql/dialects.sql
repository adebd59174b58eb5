-- What engines spell differently; everything else in this folder is SQL that all of them read.
-- The common form of a macro is default__<name>, an engine's own form <engine>__<name>.

{% macro double(expression) %}{{ adapter.dispatch('double', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__double(expression) %}cast({{ expression }} as double precision){% endmacro %}
{% macro duckdb__double(expression) %}cast({{ expression }} as double){% endmacro %}

-- The smaller of two numbers, neither of them null.
{% macro least(left, right) %}{{ adapter.dispatch('least', 'sqlrec')(left, right) }}{% endmacro %}
{% macro default__least(left, right) %}least({{ left }}, {{ right }}){% endmacro %}
{% macro sqlite__least(left, right) %}min({{ left }}, {{ right }}){% endmacro %}

{% macro log2(expression) %}{{ adapter.dispatch('log2', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__log2(expression) %}(ln({{ expression }}) / ln({{ sqlrec.double(2) }})){% endmacro %}
{% macro duckdb__log2(expression) %}log2({{ expression }}){% endmacro %}

-- The mean of doubles. DuckDB's avg depends on how its threads split the rows, favg does not.
{% macro mean(expression) %}{{ adapter.dispatch('mean', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__mean(expression) %}avg({{ expression }}){% endmacro %}
{% macro duckdb__mean(expression) %}favg({{ expression }}){% endmacro %}

{% macro nan_as_null(expression) %}{{ adapter.dispatch('nan_as_null', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__nan_as_null(expression) %}nullif({{ expression }}, {{ sqlrec.double("'NaN'") }}){% endmacro %}
-- SQLite keeps NaN as null, and reads 'NaN' as 0.
{% macro sqlite__nan_as_null(expression) %}{{ expression }}{% endmacro %}

-- How many rows of a group repeat a rank. DuckDB marks ranks as bits, at a tenth of the cost.
{% macro repeated_ranks(depth) %}{{ adapter.dispatch('repeated_ranks', 'sqlrec')(depth) }}{% endmacro %}
{% macro default__repeated_ranks(depth) %}count(*) - count(distinct rank){% endmacro %}
{% macro duckdb__repeated_ranks(depth) -%}
{% if depth and depth <= 62 -%}
count(*) - bit_count(bit_or(case when rank >= 1 then cast(1 as bigint) << rank else 0 end))
{%- else -%}
{{ sqlrec.default__repeated_ranks(depth) }}
{%- endif %}
{%- endmacro %}

-- A query with one column, number: the whole numbers from 1 to the last, or some more.
{% macro counting(last) %}{{ adapter.dispatch('counting', 'sqlrec')(last) }}{% endmacro %}
{% macro default__counting(last) %}
    select 1{% for unit in [1, 10, 100, 1000, 10000, 100000] if unit <= last %} + {{ unit }} * digits_{{ unit }}.digit{% endfor %} as number
    from
        {%- for unit in [1, 10, 100, 1000, 10000, 100000] if unit <= last %}
        {{ 'cross join' if not loop.first }} ({% for digit in range(10) %}select {{ digit }} as digit{{ ' union all ' if not loop.last }}{% endfor %}) as digits_{{ unit }}
        {%- endfor %}
{% endmacro %}
{% macro duckdb__counting(last) %}select range as number from range(1, {{ last + 1 }}){% endmacro %}

-- The items of a list column and, under the given name, their places from 1: two entries of a select.
{% macro unnested(items, place) %}{{ adapter.dispatch('unnested', 'sqlrec')(items, place) }}{% endmacro %}
{% macro duckdb__unnested(items, place) %}unnest({{ items }}) as item_id, generate_subscripts({{ items }}, 1) as {{ place }}{% endmacro %}
