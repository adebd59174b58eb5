-- Functions that engines write differently; everything else in this folder is SQL that all engines
-- accept. There are three forms:
--
--   a word     in_dialect replaces DuckDB's word by the engine's, if only the spelling differs
--   a dict     a macro chooses an expression by engine, with {} for its argument
--   dispatch   <engine>__<name> is a macro with conditions or loops. Without its own macro, Databricks
--              uses Spark's, Redshift PostgreSQL's, and other engines default__<name>
--
-- Tests execute statements on DuckDB, SQLite, PostgreSQL, ClickHouse and Spark. Statements in the
-- dialects of Snowflake, BigQuery, Redshift, Trino, Athena, Fabric and Databricks are parsed, and not executed.
-- Fabric uses T-SQL.

-- A statement in the words of the engine. Statements are written with DuckDB's words, and
-- translated once as a whole. Each entry contains a word, which may have an argument `(..)`, its
-- form, and the engines with this form. Entries apply in order, also to the forms of earlier
-- entries, such as the cast of a number. String constants and comments are unchanged. A number with
-- an exponent is a double; some engines read it as a decimal, so they need a cast. In T-SQL, the
-- base determines the type of a power.
{% macro in_dialect(sql) %}
{% if adapter.type() == 'duckdb' %}{{ return(sql) }}{% endif %}
{% set words = [
    ('favg(', 'avg(', [adapter.type()]),
    ('number', "cast('..' as double)", ['postgres', 'redshift', 'snowflake']),
    ('least(', 'min(', ['sqlite']),
    ('greatest(', 'max(', ['sqlite']),
    ('power(2,', 'power(cast(2 as double),', ['fabric']),
    ('as double)', 'as float8)', ['postgres', 'redshift']),
    ('as double)', 'as float64)', ['bigquery']),
    ('as double)', 'as float)', ['fabric']),
    ('ln(', 'log(', ['fabric']),
    ('log2(..)', '(ln(..) / ln(2))', ['postgres', 'redshift']),
    ('log2(..)', 'log(2, ..)', ['snowflake']),
    ('log2(..)', 'log(.., 2)', ['bigquery', 'fabric']),
] %}
{#- Every second piece is a constant or a comment, so the pieces between have no `--`. #}
{% set pieces = modules.re.split('(' ~ sqlrec.constant() ~ '|--[^\n]*)', sql) %}
{#- An argument with up to six levels of parentheses. #}
{% set text = namespace(code=pieces[::2] | join('--'), argument='[^()]*') %}
{% for _ in range(6) %}{% set text.argument = '[^()]*(?:[(]' ~ text.argument ~ '[)][^()]*)*' %}{% endfor %}
{% for word, form, engines in words if adapter.type() in engines %}
{% set pattern = '([0-9.]+e[+-]?[0-9]+)' if word == 'number' else modules.re.escape(word).replace('\\.\\.', '(' ~ text.argument ~ ')').replace('\\)', '\\s*\\)') %}
{% set text.code = modules.re.sub('\\b' ~ pattern, form.replace('..', '\\1'), text.code) %}
{% endfor %}
{#- An exponent of 0 only marks a number as a double. -#}
{% set texts = [] %}
{% for part in text.code.replace("e0' as ", "' as ").split('--') %}{% set _ = texts.append(part ~ ('' if loop.last else pieces[2 * loop.index0 + 1])) %}{% endfor %}
{{ return(texts | join) }}
{% endmacro %}

-- A number as a double of 64 bits. With an exponent, a fraction is never read as a decimal.
{% macro double(expression) -%}
{{ expression ~ ('e0' if 'e' not in expression | string) if expression is float else 'cast(' ~ expression ~ ' as double)' }}
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

-- True if recursive queries of the engine can rank their rows.
{% macro ranks_in_recursion() %}{{ return(adapter.type() in ['duckdb', 'postgres', 'clickhouse']) }}{% endmacro %}

-- The MD5 of a string in hexadecimal digits, lower case. SQLite has no such function, so Python registers one.
{% macro md5(text) -%}
{%- set trino = 'lower(to_hex(md5(to_utf8({}))))' -%}
{{ {
    'bigquery': 'to_hex(md5({}))', 'clickhouse': 'lower(hex(MD5({})))', 'trino': trino, 'athena': trino,
    'fabric': "lower(convert(varchar(32), hashbytes('MD5', {}), 2))", 'sqlite': 'sqlrec_md5({})',
}.get(adapter.type(), 'md5({})') | replace('{}', text) }}
{%- endmacro %}

-- A named query that is materialized, so its columns are computed only once. PostgreSQL and SQLite would copy the
-- expressions, and DuckDB would compute them after a join that repeats rows. DuckDB 2.0 hangs if
-- two adjacent queries are materialized: pass alone=true only if the adjacent queries are not
-- materialized.
{% macro materialized(alone=false) %}{{ 'materialized ' if adapter.type() in ['postgres', 'sqlite'] or alone and adapter.type() == 'duckdb' }}{% endmacro %}

-- A number from a metric's parameter, for arithmetic with doubles. A whole number stays an integer.
{% macro literal(number) %}{{ number | int if number == number | int else sqlrec.double(number | float) }}{% endmacro %}

-- A power of a number between 0 and 1, with an exponent that is not null. Some engines raise an
-- error on underflow, so powers below 1e-75 are constant. If the largest exponent is known and
-- small enough, no limit is needed.
{% macro power_of_fraction(number, exponent, most=none) -%}
{%- set powers = [number | float] -%}
{%- for doubling in range(60) -%}{%- set _ = powers.append(powers[-1] * powers[-1]) if powers[-1] > 1e-150 -%}{%- endfor -%}
{%- set last = 2 ** ([powers | length - 2, 0] | max) -%}
power({{ sqlrec.double(number) }}, {{ sqlrec.least(exponent, last) if powers[-1] <= 1e-150 and (most is none or most > last) else exponent }})
{%- endmacro %}

-- The product of two numbers. PostgreSQL raises an error on underflow, so in PostgreSQL the product
-- is 0 if a factor is almost 0.
{% macro product(left, right) %}{{ adapter.dispatch('product', 'sqlrec')(left, right) }}{% endmacro %}
{% macro default__product(left, right) -%}
{%- set simple = '[a-z_0-9.]+([(][^()]*[)])?' -%}
{{ left if modules.re.fullmatch(simple, left) else '(' ~ left ~ ')' }} * {{ right if modules.re.fullmatch(simple, right) else '(' ~ right ~ ')' }}
{%- endmacro %}
{% macro postgres__product(left, right) -%}
case
    when abs({{ left }}) > 1e-150{{ ' and abs(' ~ right ~ ') > 1e-150' if right != left }}
    then ({{ left }}) * ({{ right }})
    else cast(0 as double)
end
{%- endmacro %}

-- 1 if a row has the same keys and item as the row before, in the order of items, else 0. Empty in
-- engines that count distinct items instead.
{% macro repeats_previous_row(plan, keys, order='item_id asc') %}{{ adapter.dispatch('repeats_previous_row', 'sqlrec')(plan, keys, order) }}{% endmacro %}
{% macro default__repeats_previous_row(plan, keys, order) %}{% endmacro %}
{% macro spark__repeats_previous_row(plan, keys, order) -%}
case when lag(item_id) over (partition by {{ keys | join(', ') }} order by {{ order }}) = item_id then 1 else 0 end
{%- endmacro %}

-- The number of rows of a list that repeat a rank. Spark triples rows to count distinct values, so it counts bits.
{% macro repeated_ranks(last_rank) %}{{ adapter.dispatch('repeated_ranks', 'sqlrec')(last_rank) }}{% endmacro %}
{% macro default__repeated_ranks(last_rank) %}count(*) - count(distinct rank){% endmacro %}
{% macro spark__repeated_ranks(last_rank) -%}
{%- if last_rank <= 62 -%}
count(*) - bit_count(bit_or(case when rank between 1 and 62 then shiftleft(cast(1 as bigint), cast(rank as int)) else 0 end))
{%- else -%}
{{ sqlrec.default__repeated_ranks(last_rank) }}
{%- endif -%}
{%- endmacro %}

-- An expression that can be squared twice. PostgreSQL raises an error on underflow, so in
-- PostgreSQL tiny numbers become 0.
{% macro squarable(expression) -%}
{%- set form = '(case when abs({}) > 1e-75 then {} else cast(0 as double) end)' -%}
{{ {'postgres': form, 'redshift': form}.get(adapter.type(), '{}') | replace('{}', expression) }}
{%- endmacro %}

-- The mean of doubles. DuckDB's avg depends on the split of rows among threads; favg does not.
{% macro mean(expression) %}favg({{ expression }}){% endmacro %}

-- The variance of a sample; null for one value.
-- SQLite has no such function. The sum of squares loses digits if values are far from 0, and all
-- digits if all values are equal.
{% macro variance(expression) -%}
{{ {
    'clickhouse': 'case when count({}) > 1 then varSampStable({}) end',
    'fabric': 'var({})',
    'sqlite': '(case when min({}) = max({}) then 0 else max(0, sum({} * {}) - sum({}) * sum({}) / count({})) end / nullif(count({}) - 1, 0))',
}.get(adapter.type(), 'var_samp({})') | replace('{}', expression) }}
{%- endmacro %}

-- A number, or null instead of NaN. Adding 0 turns -0 into 0, which ClickHouse and Trino
-- distinguish, and fails for text, which would be sorted as text. SQLite stores NaN as null; T-SQL
-- has no NaN.
{% macro number(expression) -%}
{%- set is_nan = {
    'bigquery': 'is_nan({})', 'trino': 'is_nan({})', 'athena': 'is_nan({})', 'clickhouse': 'isNaN(toFloat64({}))',
    'sqlite': '{} is null', 'fabric': '{} is null',
}.get(adapter.type(), '{} = ' ~ sqlrec.double("'NaN'")) | replace('{}', expression) -%}
case when {{ is_nan }} then null else {{ expression }} + 0 end
{%- endmacro %}

-- A double as a partition key. In BigQuery, the key is the double's text, which is equal for -0 and
-- 0.
{% macro part_of(expression) %}{{ {'bigquery': 'cast({} + 0 as string)'}.get(adapter.type(), '{}') | replace('{}', expression) }}{% endmacro %}

-- The larger value first, with nulls `first` or `last`; or last by default, as in most engines.
{% macro descending(expression, nulls=none) -%}
{%- set last = '{} desc nulls last' -%}
{%- set form = 'case when {} is null then 1 else 0 end ' ~ ('desc' if nulls == 'first' else 'asc') ~ ', {} desc' -%}
{%- set forms = {'bigquery': form, 'fabric': form} if nulls else {'postgres': last, 'redshift': last, 'snowflake': last} -%}
{{ forms.get(adapter.type(), '{} desc nulls ' ~ nulls if nulls else '{} desc') | replace('{}', expression) }}
{%- endmacro %}

-- Items by their ids, `asc` or `desc`: numbers as numbers, text by its code points. PostgreSQL by default sorts text by
-- the database's collation, and an enum by the order of its values.
{% macro by_item(direction, item='item_id') -%}
{{ {
    'postgres': "case when cast(pg_typeof({}) as text) in ('smallint', 'integer', 'bigint', 'numeric') then {} end " ~ direction ~ ', ' ~ sqlrec.by_text(direction, item),
}.get(adapter.type(), '{} ' ~ direction) | replace('{}', item) }}
{%- endmacro %}

-- An order of items by the characters of their ids, also for numbers.
{% macro by_text(direction, item) -%}
{{ {'postgres': 'cast(' ~ item ~ ' as text) collate "C"'}.get(adapter.type(), sqlrec.string(item)) }} {{ direction }}
{%- endmacro %}

-- A query with one column, `number`, which contains the integers from 1 to at least `last`.
{% macro integers_to(last) %}
    {%- set form = {
        'duckdb': 'select number from range(1, ' ~ (last + 1) ~ ') as counted (number)',
        'postgres': 'select number from generate_series(1, ' ~ last ~ ') as counted (number)',
        'spark': 'select explode(sequence(1, ' ~ last ~ ')) as number',
        'databricks': 'select explode(sequence(1, ' ~ last ~ ')) as number',
        'clickhouse': 'select arrayJoin(range(1, ' ~ (last + 1) ~ ')) as number',
        'bigquery': 'select number from unnest(generate_array(1, ' ~ last ~ ')) as number',
        'trino': 'select number from unnest(sequence(1, ' ~ last ~ ')) as counted (number)',
        'athena': 'select number from unnest(sequence(1, ' ~ last ~ ')) as counted (number)',
    }.get(adapter.type()) %}
    {%- if form %}
{{ form }}
    {%- elif last <= 20 %}
    {% for number in range(1, last + 1) %}select {{ number }}{{ ' as number' if loop.first }}{{ ' union all ' if not loop.last }}{% endfor %}
    {%- else %}
    select 1{% for unit in [1, 10, 100, 1000, 10000, 100000] if unit < last %} + {{ unit ~ ' * ' if unit > 1 }}digits_{{ unit }}.digit{% endfor %} as number
    from
        {%- for unit in [1, 10, 100, 1000, 10000, 100000] if unit < last %}
        {{ 'cross join' if not loop.first }} ({% for digit in range(10) %}select {{ digit }} as digit{{ ' union all ' if not loop.last }}{% endfor %}) as digits_{{ unit }}
        {%- endfor %}
    {%- endif %}
{% endmacro %}

-- A query with the columns, and a row for each item in a list column, with item_id and its rank from 1.
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
{% macro ending() -%}
{{ {'clickhouse': 'settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1'}.get(adapter.type(), '') }}
{%- endmacro %}

-- The from clause of a select: the rows of values, once for each metric, with the columns metric
-- and value.
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
{% macro redshift__unpivoted(table, groups, metrics) %}{{ sqlrec.default__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro duckdb__unpivoted(table, groups, metrics) %}
from {{ table }}
cross join lateral (
    values
    {%- for metric in metrics %}
    ('{{ metric.label }}', {{ metric.column }}){{ ',' if not loop.last }}
    {%- endfor %}
) as metrics (metric, value)
{% endmacro %}
{% macro postgres__unpivoted(table, groups, metrics) %}{{ sqlrec.duckdb__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro trino__unpivoted(table, groups, metrics) %}
from {{ table }}
cross join unnest(array[
    {%- for metric in metrics %}
    row('{{ metric.label }}', {{ metric.column }}){{ ',' if not loop.last }}
    {%- endfor %}
]) as metrics (metric, value)
{% endmacro %}
{% macro athena__unpivoted(table, groups, metrics) %}{{ sqlrec.trino__unpivoted(table, groups, metrics) }}{% endmacro %}
{% macro clickhouse__unpivoted(table, groups, metrics) %}
from {{ table }}
array join
    ['{{ metrics | map(attribute='label') | join("', '") }}'] as metric,
    [{{ metrics | map(attribute='column') | join(', ') }}] as value
{% endmacro %}
-- Snowflake converts names without quotes to upper case.
{% macro spark__unpivoted(table, groups, metrics, quote='`') %}
from {{ table }}
unpivot include nulls (
    value for metric in (
        {%- for metric in metrics %}
        {{ metric.column }}{{ ' as ' ~ quote ~ metric.label ~ quote if quote == '"' or metric.label != metric.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
)
{% endmacro %}
{% macro snowflake__unpivoted(table, groups, metrics) %}{{ sqlrec.spark__unpivoted(table, groups, metrics, '"') }}{% endmacro %}
{% macro bigquery__unpivoted(table, groups, metrics) %}{{ sqlrec.spark__unpivoted(table, groups, metrics, "'") }}{% endmacro %}
