-- Functions that engines write differently; everything else in this folder is SQL that all engines
-- accept. The common form of a macro is default__<name>, an engine's own form <engine>__<name>.
-- Without its own form, Databricks uses Spark's and Redshift PostgreSQL's; Athena uses Trino's, and
-- Fabric has T-SQL.

-- Words that engines write differently: statements are written with DuckDB's words, and translated once as a whole. An
-- entry is a word and the engine's word for it, or the engine's form of a call, with \\1 as the argument.
{% macro default__words() %}{{ return({'favg': 'avg', 'log2': '(ln(\\1) / ln(2))'}) }}{% endmacro %}
{% macro duckdb__words() %}{{ return({}) }}{% endmacro %}
{% macro postgres__words() %}{{ return({'favg': 'avg', 'as double': 'as float8', 'log2': '(ln(\\1) / ln(2))'}) }}{% endmacro %}
{% macro sqlite__words() %}{{ return({'favg': 'avg', 'least': 'min', 'greatest': 'max'}) }}{% endmacro %}
{% macro spark__words() %}{{ return({'favg': 'avg'}) }}{% endmacro %}
{% macro trino__words() %}{{ return({'favg': 'avg'}) }}{% endmacro %}
{% macro athena__words() %}{{ return({'favg': 'avg'}) }}{% endmacro %}
{% macro clickhouse__words() %}{{ return({'favg': 'avg'}) }}{% endmacro %}
{% macro snowflake__words() %}{{ return({'favg': 'avg', 'log2': 'log(2, \\1)'}) }}{% endmacro %}
{% macro bigquery__words() %}{{ return({'favg': 'avg', 'as double': 'as float64', 'log2': 'log(\\1, 2)'}) }}{% endmacro %}
{% macro fabric__words() %}{{ return({'favg': 'avg', 'as double': 'as float', 'ln': 'log', 'log2': 'log(\\1, 2)'}) }}{% endmacro %}

-- A statement in the words of the engine. Text constants and comments are unchanged.
{% macro in_dialect(sql) %}
{% set words = adapter.dispatch('words', 'sqlrec')() %}
{% if not words %}{{ return(sql) }}{% endif %}
{#- Constants and comments are every second piece, so the other pieces have no `--`. #}
{% set pieces = modules.re.split('(' ~ sqlrec.constant() ~ '|--[^\n]*)', sql) %}
{#- An argument with up to six levels of parentheses. #}
{% set text = namespace(code=pieces[::2] | join('--'), argument='[^()]*') %}
{% for _ in range(6) %}{% set text.argument = '[^()]*(?:[(]' ~ text.argument ~ '[)][^()]*)*' %}{% endfor %}
{% for word, form in words.items() %}
{% set text.code = modules.re.sub('\\b' ~ word ~ ('[(](' ~ text.argument ~ ')[)]' if '(' in form else '(?=\\s*[)])' if ' ' in word else '(?=[(])'), form, text.code) %}
{% endfor %}
{% set texts = [] %}
{% for part in text.code.split('--') %}{% set _ = texts.append(part ~ ('' if loop.last else pieces[2 * loop.index0 + 1])) %}{% endfor %}
{{ return(texts | join) }}
{% endmacro %}

-- A number as a double of 64 bits. With an exponent, or written as text, a fraction is never read as a decimal.
{% macro double(expression) -%}
{%- set is_cast = adapter.type() in ['postgres', 'redshift', 'snowflake'] -%}
{%- if expression is float and not is_cast -%}
{{ expression ~ ('e0' if 'e' not in expression | string) }}
{%- else -%}
cast({{ "'" ~ expression ~ "'" if expression is float else expression }} as double)
{%- endif -%}
{%- endmacro %}

-- In T-SQL, a type without a length cuts text after 30 characters.
{% macro string(expression) -%}
{%- set types = {'spark': 'string', 'databricks': 'string', 'bigquery': 'string', 'fabric': 'varchar(8000)'} -%}
cast({{ expression }} as {{ types.get(adapter.type(), 'varchar') }})
{%- endmacro %}

-- The smaller and the larger of two numbers that are not null.
{% macro least(left, right) %}least({{ left }}, {{ right }}){% endmacro %}
{% macro greatest(left, right) %}greatest({{ left }}, {{ right }}){% endmacro %}

-- The logarithms.
{% macro ln(expression) %}ln({{ expression }}){% endmacro %}
{% macro log2(expression) %}log2({{ expression }}){% endmacro %}

-- The base of powers. In T-SQL it determines the type of a power.
{% macro two() %}{{ 'cast(2 as double)' if adapter.type() == 'fabric' else 2 }}{% endmacro %}

-- True if the engine has recursive queries that can rank their rows.
{% macro ranks_in_recursion() %}{{ return(adapter.type() in ['duckdb', 'postgres', 'clickhouse']) }}{% endmacro %}

-- The MD5 of a string in hexadecimal digits, lower case. SQLite has no such function; Python registers one.
{% macro md5(text) -%}
{%- set trino = 'lower(to_hex(md5(to_utf8({}))))' -%}
{{ {
    'bigquery': 'to_hex(md5({}))', 'clickhouse': 'lower(hex(MD5({})))', 'trino': trino, 'athena': trino,
    'fabric': "lower(convert(varchar(32), hashbytes('MD5', {}), 2))", 'sqlite': 'sqlrec_md5({})',
}.get(adapter.type(), 'md5({})') | replace('{}', text) }}
{%- endmacro %}

-- A named query that is materialized, so its columns are computed only once: PostgreSQL and SQLite
-- would copy their expressions, and DuckDB would compute them after a join that repeats rows.
-- DuckDB 2.0 hangs if two adjacent queries are materialized: pass alone=true only if the queries
-- next to it are not.
{% macro materialized(alone=false) %}{{ 'materialized ' if adapter.type() in ['postgres', 'sqlite'] or alone and adapter.type() == 'duckdb' }}{% endmacro %}

-- A named query that is written into each reader: PostgreSQL has no statistics of the rows of others.
{% macro repeated() %}{{ 'not materialized ' if adapter.type() == 'postgres' }}{% endmacro %}

-- A number from a metric's parameter, for arithmetic with doubles: a whole number stays an integer.
{% macro literal(number) %}{{ number | int if number == number | int else sqlrec.double(number | float) }}{% endmacro %}

-- A power of a number between 0 and 1, with an exponent that is not null. Some engines raise an
-- error on underflow, so powers below 1e-75 are constant. If the largest exponent is known and
-- small enough, no limit is needed.
{% macro fading(number, exponent, most=none) -%}
{%- set powers = [number | float] -%}
{%- for doubling in range(60) -%}{%- set _ = powers.append(powers[-1] * powers[-1]) if powers[-1] > 1e-150 -%}{%- endfor -%}
{%- set last = 2 ** ([powers | length - 2, 0] | max) -%}
power({{ sqlrec.double(number) }}, {{ sqlrec.least(exponent, last) if powers[-1] <= 1e-150 and (most is none or most > last) else exponent }})
{%- endmacro %}

-- The number of rows, or of rows with a value. ClickHouse counts with unsigned integers, which do
-- not mix with signed ones.
{% macro row_count(expression='*') %}{{ 'cast(count(' ~ expression ~ ') as bigint)' if adapter.type() == 'clickhouse' else 'count(' ~ expression ~ ')' }}{% endmacro %}

-- The product of two numbers. PostgreSQL raises an error on underflow, so there it is 0 if a factor
-- is almost 0.
{% macro product(left, right) %}{{ adapter.dispatch('product', 'sqlrec')(left, right) }}{% endmacro %}
{% macro default__product(left, right) -%}
{%- set simple = '[a-z_0-9.]+([(][^()]*[)])?' -%}
{{ left if modules.re.fullmatch(simple, left) else '(' ~ left ~ ')' }} * {{ right if modules.re.fullmatch(simple, right) else '(' ~ right ~ ')' }}
{%- endmacro %}
{% macro postgres__product(left, right) -%}
case
    when abs({{ left }}) > {{ sqlrec.double(1e-150) }}{{ ' and abs(' ~ right ~ ') > ' ~ sqlrec.double(1e-150) if right != left }}
    then ({{ left }}) * ({{ right }})
    else {{ sqlrec.double(0) }}
end
{%- endmacro %}

-- An expression that can be squared twice: PostgreSQL raises an error on underflow, so there tiny
-- numbers become 0.
{% macro squarable(expression) -%}
{%- set tiny = 'abs(' ~ expression ~ ') > ' ~ sqlrec.double(1e-75) -%}
{{ '(case when ' ~ tiny ~ ' then ' ~ expression ~ ' else ' ~ sqlrec.double(0) ~ ' end)' if adapter.type() in ['postgres', 'redshift'] else expression }}
{%- endmacro %}

-- The mean of doubles. DuckDB's avg depends on how its threads split the rows, favg does not.
{% macro mean(expression) %}favg({{ expression }}){% endmacro %}

-- The variance of a sample; null for one value.
{% macro variance(expression) %}{{ adapter.dispatch('variance', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__variance(expression) %}var_samp({{ expression }}){% endmacro %}
{% macro clickhouse__variance(expression) %}case when count({{ expression }}) > 1 then varSampStable({{ expression }}) end{% endmacro %}
{% macro fabric__variance(expression) %}var({{ expression }}){% endmacro %}
-- SQLite has no such function. The sum of squares loses digits if values are far from 0, and all
-- digits if all values are equal.
{% macro sqlite__variance(expression) -%}
(case when min({{ expression }}) = max({{ expression }}) then 0 else max(0, sum({{ expression }} * {{ expression }}) - sum({{ expression }}) * sum({{ expression }}) / count({{ expression }})) end / nullif(count({{ expression }}) - 1, 0))
{%- endmacro %}

-- A number, null instead of NaN. Adding 0 turns -0 into 0, which ClickHouse and Trino distinguish,
-- and fails for text, which would be sorted as text. SQLite stores NaN as null; T-SQL has no NaN.
{% macro number(expression) -%}
{%- set is_nan = {
    'bigquery': 'is_nan({})', 'trino': 'is_nan({})', 'athena': 'is_nan({})', 'clickhouse': 'isNaN(toFloat64({}))',
    'sqlite': '{} is null', 'fabric': '{} is null',
}.get(adapter.type(), '{} = ' ~ sqlrec.double("'NaN'")) | replace('{}', expression) -%}
case when {{ is_nan }} then null else {{ expression }} + 0 end
{%- endmacro %}

-- A column of numbers, for sorting and comparing. SQLite may store them as text, for example if its
-- shell imported a file; adding 0 turns them into numbers.
{% macro numbers_of(column) %}{{ column }}{{ ' + 0' if adapter.type() == 'sqlite' }}{% endmacro %}

-- A double as a partition key. BigQuery needs its text, which is equal for -0 and 0.
{% macro part_of(expression) %}{{ 'cast(' ~ expression ~ ' + 0 as string)' if adapter.type() == 'bigquery' else expression }}{% endmacro %}

-- The larger value first, with nulls `first` or `last`.
{% macro descending(expression, nulls) -%}
{%- if adapter.type() in ['bigquery', 'fabric'] -%}
case when {{ expression }} is null then 1 else 0 end {{ 'desc' if nulls == 'first' else 'asc' }}, {{ expression }} desc
{%- else -%}
{{ expression }} desc nulls {{ nulls }}
{%- endif -%}
{%- endmacro %}

-- The larger value first, and nulls last, the default of most engines.
{% macro largest_first(expression) %}{{ expression }} desc{{ ' nulls last' if adapter.type() in ['postgres', 'redshift', 'snowflake'] }}{% endmacro %}

-- Items by their ids, `asc` or `desc`: numbers as numbers, text by its code points. PostgreSQL by default sorts text by
-- the database's collation, and an enum by the order of its values.
{% macro by_item(direction, item='item_id') -%}
{%- if adapter.type() == 'postgres' -%}
case when cast(pg_typeof({{ item }}) as text) in ('smallint', 'integer', 'bigint', 'numeric') then {{ item }} end {{ direction }}, {{ sqlrec.by_text(direction, item) }}
{%- else -%}
{{ item }} {{ direction }}
{%- endif -%}
{%- endmacro %}

-- An order of items by the characters of their ids, even of numbers.
{% macro by_text(direction, item) -%}
{{ 'cast(' ~ item ~ ' as text) collate "C"' if adapter.type() == 'postgres' else sqlrec.string(item) }} {{ direction }}
{%- endmacro %}

-- DuckDB marks ranks as bits of one number, which is faster than counting them for each cutoff. A
-- bigint has bits for 62 ranks, a hugeint for 124; deeper ranks are counted.

-- The number of rows of a list that repeat a rank. For deep ranks, a bit string replaces the
-- number. A rank below 1 breaks another rule.
{% macro repeated_ranks(last_rank) %}{{ adapter.dispatch('repeated_ranks', 'sqlrec')(last_rank) }}{% endmacro %}
{% macro default__repeated_ranks(last_rank) %}count(*) - count(distinct rank){% endmacro %}
{% macro duckdb__repeated_ranks(last_rank) -%}
count(*) - bit_count({{ sqlrec.marked_ranks(last_rank) }})
{%- if last_rank > 124 %}
        - coalesce(bit_count(bitstring_agg(case when rank between 125 and 1000 then rank end, 125, 1000)), 0)
        - coalesce(list_unique(list(rank) filter (where rank > 1000)), 0)
{%- endif -%}
{%- endmacro %}
{% macro marked_ranks(last_rank, mark=1) -%}
bit_or(case when rank between 1 and {{ 62 if last_rank <= 62 else 124 }} then cast({{ mark }} as {{ sqlrec.type_of_marks(last_rank) }}) << rank else 0 end)
{%- endmacro %}
{% macro type_of_marks(last_rank) %}{{ 'bigint' if last_rank <= 62 else 'hugeint' }}{% endmacro %}

-- Only DuckDB has a form of this (engines/duckdb.sql).
{% macro marked_lengths(plan, lists) %}{{ return(adapter.dispatch('marked_lengths', 'sqlrec')(plan, lists)) }}{% endmacro %}
{% macro default__marked_lengths(plan, lists) %}{{ return({}) }}{% endmacro %}

-- The number of items of a list within a cutoff. Dense lists have no gaps.
{% macro ranks_within(k, last_rank, dense) -%}
{{ 'cast(' ~ sqlrec.least('count(*)', k) ~ ' as bigint)' if dense else adapter.dispatch('ranks_within', 'sqlrec')(k, last_rank) }}
{%- endmacro %}
{% macro default__ranks_within(k, last_rank) %}{{ sqlrec.row_count('case when rank <= ' ~ k ~ ' then 1 end') }}{% endmacro %}
{% macro duckdb__ranks_within(k, last_rank) -%}
{{ 'cast(bit_count(' ~ sqlrec.marked_ranks(last_rank) ~ ' & ' ~ (2 ** ([k, last_rank] | min + 1) - 1) ~ ') as bigint)' if [k, last_rank] | min <= 124 else sqlrec.default__ranks_within(k, last_rank) }}
{%- endmacro %}

-- 1 if a column is 1 at a rank of a list, else 0.
{% macro value_at_rank(rank, column, last_rank) %}{{ adapter.dispatch('value_at_rank', 'sqlrec')(rank, column, last_rank) }}{% endmacro %}
{% macro default__value_at_rank(rank, column, last_rank) %}max(case when rank = {{ rank }} then {{ column }} else 0 end){% endmacro %}
{% macro duckdb__value_at_rank(rank, column, last_rank) -%}
{%- if rank > last_rank -%}
0
{%- elif rank > 124 -%}
{{ sqlrec.default__value_at_rank(rank, column, last_rank) }}
{%- else -%}
({{ sqlrec.marked_ranks(last_rank, column) }} >> {{ rank }}) & 1
{%- endif -%}
{%- endmacro %}

-- A form only for DuckDB (engines/duckdb.sql): whether a row repeats the keys of the row before.
{% macro repeats_previous_row(plan, keys) %}{{ adapter.dispatch('repeats_previous_row', 'sqlrec')(plan, keys) }}{% endmacro %}
{% macro default__repeats_previous_row(plan, keys) %}{% endmacro %}

-- A form only for DuckDB (engines/duckdb.sql): metrics from sums over the ranks down to a cutoff.
{% macro running_sums(plan, kind, columns) %}{{ return(adapter.dispatch('running_sums', 'sqlrec')(plan, kind, columns)) }}{% endmacro %}
{% macro default__running_sums(plan, kind, columns) %}{{ return(none) }}{% endmacro %}

-- A query with one column, number: the integers from 1 to at least the last.
{% macro counting(last) %}{{ adapter.dispatch('counting', 'sqlrec')(last) }}{% endmacro %}
{% macro default__counting(last) %}
    {%- if last <= 20 %}
    {% for number in range(1, last + 1) %}select {{ number }}{{ ' as number' if loop.first }}{{ ' union all ' if not loop.last }}{% endfor %}
    {%- else %}
    select 1{% for unit in [1, 10, 100, 1000, 10000, 100000] if unit < last %} + {{ unit ~ ' * ' if unit > 1 }}digits_{{ unit }}.digit{% endfor %} as number
    from
        {%- for unit in [1, 10, 100, 1000, 10000, 100000] if unit < last %}
        {{ 'cross join' if not loop.first }} ({% for digit in range(10) %}select {{ digit }} as digit{{ ' union all ' if not loop.last }}{% endfor %}) as digits_{{ unit }}
        {%- endfor %}
    {%- endif %}
{% endmacro %}
{% macro duckdb__counting(last) %}select number from range(1, {{ last + 1 }}) as counted (number){% endmacro %}
{% macro postgres__counting(last) %}select number from generate_series(1, {{ last }}) as counted (number){% endmacro %}
-- Redshift cannot join generate_series with tables.
{% macro redshift__counting(last) %}{{ sqlrec.default__counting(last) }}{% endmacro %}
{% macro spark__counting(last) %}select explode(sequence(1, {{ last }})) as number{% endmacro %}
{% macro clickhouse__counting(last) %}select arrayJoin(range(1, {{ last + 1 }})) as number{% endmacro %}
{% macro bigquery__counting(last) %}select number from unnest(generate_array(1, {{ last }})) as number{% endmacro %}
{% macro trino__counting(last) %}select number from unnest(sequence(1, {{ last }})) as counted (number){% endmacro %}
{% macro athena__counting(last) %}{{ sqlrec.trino__counting(last) }}{% endmacro %}

-- A query with the columns, and a row for each item of a list column: item_id, and its rank from
-- 1.
{% macro unnested(columns, items, rank, relation) %}{{ adapter.dispatch('unnested', 'sqlrec')(columns, items, rank, relation) }}{% endmacro %}
{% macro duckdb__unnested(columns, items, rank, relation) %}
    select
        {{ columns }},
        unnest({{ items }}) as item_id,
        generate_subscripts({{ items }}, 1) as {{ rank }}
    from {{ relation }}
{%- endmacro %}
{% macro postgres__unnested(columns, items, rank, relation) %}
    select
        {{ columns }},
        sqlrec_list.sqlrec_entry as item_id,
        sqlrec_list.sqlrec_rank as {{ rank }}
    from {{ relation }}
    cross join unnest({{ items }}) with ordinality as sqlrec_list (sqlrec_entry, sqlrec_rank)
{%- endmacro %}
{% macro spark__unnested(columns, items, rank, relation) %}
    select
        {{ columns }},
        sqlrec_list.sqlrec_entry as item_id,
        cast(sqlrec_list.sqlrec_rank + 1 as bigint) as {{ rank }}
    from {{ relation }}
    lateral view posexplode({{ items }}) sqlrec_list as sqlrec_rank, sqlrec_entry
{%- endmacro %}
{% macro clickhouse__unnested(columns, items, rank, relation) %}
    select
        {{ columns }},
        sqlrec_entry as item_id,
        cast(sqlrec_rank as bigint) as {{ rank }}
    from {{ relation }}
    array join {{ items }} as sqlrec_entry, arrayEnumerate({{ items }}) as sqlrec_rank
{%- endmacro %}

-- The settings at the end of a statement. By default ClickHouse fills unmatched rows of a join with
-- 0 and '', and resolves a name to an alias before a column.
{% macro ending() %}{{ 'settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1' if adapter.type() == 'clickhouse' }}{% endmacro %}

-- The rows of values once for each metric, with columns metric and value: the from clause of a
-- select.
{% macro unpivoted(table, groups, metrics) %}{{ adapter.dispatch('unpivoted', 'sqlrec')(table, groups, metrics) }}{% endmacro %}
{% macro default__unpivoted(table, groups, metrics) %}
from (
    select
        {%- for group in groups %}
        {{ group }},
        {%- endfor %}
        metric,
        case metric
            {%- for metric in metrics %}
            when '{{ metric.label }}' then {{ metric.column }}
            {%- endfor %}
        end as value
    from {{ table }}
    cross join (
        {%- for metric in metrics %}
        select '{{ metric.label }}'{{ ' as metric' if loop.first }}{{ ' union all' if not loop.last }}
        {%- endfor %}
    ) as metrics
) as metric_values
{% endmacro %}
{% macro postgres__unpivoted(table, groups, metrics) %}
from {{ table }}
cross join lateral (
    values
    {%- for metric in metrics %}
    ('{{ metric.label }}', {{ metric.column }}){{ ',' if not loop.last }}
    {%- endfor %}
) as metrics (metric, value)
{% endmacro %}
{% macro clickhouse__unpivoted(table, groups, metrics) %}
from {{ table }}
array join
    [{% for metric in metrics %}'{{ metric.label }}'{{ ', ' if not loop.last }}{% endfor %}] as metric,
    [{% for metric in metrics %}{{ metric.column }}{{ ', ' if not loop.last }}{% endfor %}] as value
{% endmacro %}
{% macro redshift__unpivoted(table, groups, metrics) %}{{ sqlrec.default__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro duckdb__unpivoted(table, groups, metrics) %}{{ sqlrec.postgres__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro spark__unpivoted(table, groups, metrics) %}
from {{ table }}
unpivot include nulls (
    value for metric in (
        {%- for metric in metrics %}
        {{ sqlrec.named_column(metric.column, metric.label) }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
)
{% endmacro %}
{% macro snowflake__unpivoted(table, groups, metrics) %}{{ sqlrec.spark__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro bigquery__unpivoted(table, groups, metrics) %}{{ sqlrec.spark__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro trino__unpivoted(table, groups, metrics) %}
from {{ table }}
cross join unnest(array[
    {%- for metric in metrics %}
    row('{{ metric.label }}', {{ metric.column }}){{ ',' if not loop.last }}
    {%- endfor %}
]) as metrics (metric, value)
{% endmacro %}
{% macro athena__unpivoted(table, groups, metrics) %}{{ sqlrec.trino__unpivoted(table, groups, metrics) }}{% endmacro %}

-- A column to unpivot, and its name in the rows.
{% macro named_column(column, label) %}{{ adapter.dispatch('named_column', 'sqlrec')(column, label) }}{% endmacro %}
{% macro default__named_column(column, label) %}{{ column }}{{ ' as `' ~ label ~ '`' if label != column }}{% endmacro %}
-- Snowflake turns names without quotes into upper case.
{% macro snowflake__named_column(column, label) %}{{ column }} as "{{ label }}"{% endmacro %}
{% macro bigquery__named_column(column, label) %}{{ column }}{{ " as '" ~ label ~ "'" if label != column }}{% endmacro %}
