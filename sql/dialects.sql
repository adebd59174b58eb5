-- What engines spell differently; everything else in this folder is SQL that all of them read.
-- The common form of a macro is default__<name>, an engine's own form <engine>__<name>. Databricks
-- takes Spark's form where it has none, and Redshift PostgreSQL's; Athena is Trino's, and Fabric's is T-SQL.

-- A number as a double of 64 bits. With an exponent, or written as text, a fraction is never read as a decimal.
{% macro double(expression) -%}
{%- if expression is float -%}
{{ adapter.dispatch('fraction', 'sqlrec')(expression) }}
{%- else -%}
cast({{ expression }} as {{ adapter.dispatch('double_type', 'sqlrec')() }})
{%- endif -%}
{%- endmacro %}
{% macro default__double_type() %}double{% endmacro %}
{% macro postgres__double_type() %}float8{% endmacro %}
{% macro bigquery__double_type() %}float64{% endmacro %}
{% macro fabric__double_type() %}float{% endmacro %}

{% macro default__fraction(number) %}{{ number ~ ('e0' if 'e' not in number | string) }}{% endmacro %}
{% macro postgres__fraction(number) %}cast('{{ number }}' as float8){% endmacro %}
{% macro snowflake__fraction(number) %}cast('{{ number }}' as double){% endmacro %}

{% macro string(expression) %}cast({{ expression }} as {{ adapter.dispatch('string_type', 'sqlrec')() }}){% endmacro %}
{% macro default__string_type() %}varchar{% endmacro %}
{% macro spark__string_type() %}string{% endmacro %}
{% macro bigquery__string_type() %}string{% endmacro %}
-- Without a length it would be cut after 30 signs.
{% macro fabric__string_type() %}varchar(8000){% endmacro %}

-- The smaller of two numbers, neither of them null.
{% macro least(left, right) %}{{ adapter.dispatch('least', 'sqlrec')(left, right) }}{% endmacro %}
{% macro default__least(left, right) %}least({{ left }}, {{ right }}){% endmacro %}
{% macro sqlite__least(left, right) %}min({{ left }}, {{ right }}){% endmacro %}

-- A value, kept at the most that it can be. ClickHouse compares no counts with doubles.
{% macro default__at_most(value, most) %}at_most({{ value }}, {{ most }}){% endmacro %}
{% macro clickhouse__at_most(value, most) %}at_most({{ sqlrec.double(value) }}, {{ sqlrec.double(most) }}){% endmacro %}

-- The larger of two numbers, neither of them null.
{% macro greatest(left, right) %}{{ adapter.dispatch('greatest', 'sqlrec')(left, right) }}{% endmacro %}
{% macro default__greatest(left, right) %}greatest({{ left }}, {{ right }}){% endmacro %}
{% macro sqlite__greatest(left, right) %}max({{ left }}, {{ right }}){% endmacro %}

-- The natural logarithm.
{% macro ln(expression) %}{{ adapter.dispatch('ln', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__ln(expression) %}ln({{ expression }}){% endmacro %}
{% macro fabric__ln(expression) %}log({{ expression }}){% endmacro %}

{% macro log2(expression) %}{{ adapter.dispatch('log2', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__log2(expression) %}({{ sqlrec.ln(expression) }} / {{ sqlrec.ln(2) }}){% endmacro %}
{% macro duckdb__log2(expression) %}log2({{ expression }}){% endmacro %}
{% macro spark__log2(expression) %}log2({{ expression }}){% endmacro %}
{% macro trino__log2(expression) %}log2({{ expression }}){% endmacro %}
{% macro clickhouse__log2(expression) %}log2({{ expression }}){% endmacro %}
{% macro sqlite__log2(expression) %}log2({{ expression }}){% endmacro %}
{% macro snowflake__log2(expression) %}log(2, {{ expression }}){% endmacro %}
{% macro bigquery__log2(expression) %}log({{ expression }}, 2){% endmacro %}
{% macro athena__log2(expression) %}{{ sqlrec.trino__log2(expression) }}{% endmacro %}
{% macro fabric__log2(expression) %}{{ sqlrec.bigquery__log2(expression) }}{% endmacro %}

-- The base of powers. T-SQL takes the type of a power from it.
{% macro two() %}{{ adapter.dispatch('two', 'sqlrec')() }}{% endmacro %}
{% macro default__two() %}2{% endmacro %}
{% macro fabric__two() %}{{ sqlrec.double(2) }}{% endmacro %}

-- Whether a recursive query may rank its rows: elsewhere it may not, or there is none.
{% macro ranks_in_recursion() %}{{ return(adapter.dispatch('ranks_in_recursion', 'sqlrec')() | trim == 'yes') }}{% endmacro %}
{% macro default__ranks_in_recursion() %}no{% endmacro %}
{% macro duckdb__ranks_in_recursion() %}yes{% endmacro %}
{% macro postgres__ranks_in_recursion() %}yes{% endmacro %}
{% macro clickhouse__ranks_in_recursion() %}yes{% endmacro %}
{% macro redshift__ranks_in_recursion() %}no{% endmacro %}

-- The MD5 of a text in hexadecimal digits, lower case.
{% macro md5(text) %}{{ adapter.dispatch('md5', 'sqlrec')(text) }}{% endmacro %}
{% macro default__md5(text) %}md5({{ text }}){% endmacro %}
{% macro bigquery__md5(text) %}to_hex(md5({{ text }})){% endmacro %}
{% macro clickhouse__md5(text) %}lower(hex(MD5({{ text }}))){% endmacro %}
{% macro trino__md5(text) %}lower(to_hex(md5(to_utf8({{ text }})))){% endmacro %}
{% macro athena__md5(text) %}{{ sqlrec.trino__md5(text) }}{% endmacro %}
{% macro fabric__md5(text) %}lower(convert(varchar(32), hashbytes('MD5', {{ text }}), 2)){% endmacro %}
-- SQLite has none, and is given one by Python.
{% macro sqlite__md5(text) %}sqlrec_md5({{ text }}){% endmacro %}

-- A named query whose columns are made once, however often they are mentioned: PostgreSQL and SQLite would
-- copy their expressions. DuckDB 2.0 stands still at two such queries in a row, so there `alone` says that no
-- other is near. Otherwise it makes columns after a join that repeats its rows.
{% macro fenced(alone=false) %}{{ adapter.dispatch('fenced', 'sqlrec')(alone) }}{% endmacro %}
{% macro default__fenced(alone) %}{% endmacro %}
{% macro duckdb__fenced(alone) %}{{ 'materialized ' if alone }}{% endmacro %}
{% macro postgres__fenced(alone) %}materialized {% endmacro %}
{% macro sqlite__fenced(alone) %}materialized {% endmacro %}
{% macro redshift__fenced(alone) %}{% endmacro %}

-- A number of a metric's parameter, beside doubles: a whole one as it stands.
{% macro literal(number) %}{{ number | int if number == number | int else sqlrec.double(number | float) }}{% endmacro %}

-- A power of a number between 0 and 1, of an exponent that is not null. Some engines refuse to compute what
-- is smaller than any number: from where on it is next to nothing, less than 1e-75, it stays what it is.
-- An exponent that is at most a number from which that is not so needs no such limit.
{% macro fading(number, exponent, most=none) -%}
{%- set powers = [number | float] -%}
{%- for doubling in range(60) -%}{%- set _ = powers.append(powers[-1] * powers[-1]) if powers[-1] > 1e-150 -%}{%- endfor -%}
{%- set last = 2 ** ([powers | length - 2, 0] | max) -%}
power({{ sqlrec.double(number) }}, {{ sqlrec.least(exponent, last) if powers[-1] <= 1e-150 and (most is none or most > last) else exponent }})
{%- endmacro %}

-- How many rows there are, or have some value. ClickHouse counts without sign, which goes with no number that has one.
{% macro row_count(expression='*') %}{{ adapter.dispatch('row_count', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__row_count(expression) %}count({{ expression }}){% endmacro %}
{% macro clickhouse__row_count(expression) %}cast(count({{ expression }}) as bigint){% endmacro %}

-- The product of two numbers. PostgreSQL refuses to compute what is smaller than any number: there it is 0 where
-- one of them is next to nothing.
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

-- An expression that may be squared, and this again: PostgreSQL refuses to compute what is smaller than any
-- number, and takes what is next to nothing for nothing.
{% macro squarable(expression) %}{{ adapter.dispatch('squarable', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__squarable(expression) %}{{ expression }}{% endmacro %}
{% macro postgres__squarable(expression) -%}
(case when abs({{ expression }}) > {{ sqlrec.double(1e-75) }} then {{ expression }} else {{ sqlrec.double(0) }} end)
{%- endmacro %}

-- The mean of doubles. DuckDB's avg depends on how its threads split the rows, favg does not.
{% macro mean(expression) %}{{ adapter.dispatch('mean', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__mean(expression) %}avg({{ expression }}){% endmacro %}
{% macro duckdb__mean(expression) %}favg({{ expression }}){% endmacro %}

-- The variance of a sample; null for one value.
{% macro variance(expression) %}{{ adapter.dispatch('variance', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__variance(expression) %}var_samp({{ expression }}){% endmacro %}
{% macro clickhouse__variance(expression) %}case when count({{ expression }}) > 1 then varSampStable({{ expression }}) end{% endmacro %}
{% macro fabric__variance(expression) %}var({{ expression }}){% endmacro %}
-- SQLite has no such function: the sum of squares loses digits where values are far from 0, and all of them
-- where they are all the same.
{% macro sqlite__variance(expression) -%}
(case when min({{ expression }}) = max({{ expression }}) then 0 else max(0, sum({{ expression }} * {{ expression }}) - sum({{ expression }}) * sum({{ expression }}) / count({{ expression }})) end / nullif(count({{ expression }}) - 1, 0))
{%- endmacro %}

-- A number, null where it is NaN. The sum with 0 makes 0 of -0, which ClickHouse and Trino tell apart,
-- and stops at text, which would be ordered as text.
{% macro number(expression) -%}
case when {{ adapter.dispatch('is_nan', 'sqlrec')(expression) }} then null else {{ expression }} + 0 end
{%- endmacro %}
{% macro default__is_nan(expression) %}{{ expression }} = {{ sqlrec.double("'NaN'") }}{% endmacro %}
{% macro bigquery__is_nan(expression) %}is_nan({{ expression }}){% endmacro %}
{% macro trino__is_nan(expression) %}is_nan({{ expression }}){% endmacro %}
{% macro athena__is_nan(expression) %}{{ sqlrec.trino__is_nan(expression) }}{% endmacro %}
{% macro clickhouse__is_nan(expression) %}isNaN(toFloat64({{ expression }})){% endmacro %}
-- SQLite has no NaN, it keeps null; T-SQL has none at all.
{% macro sqlite__is_nan(expression) %}{{ expression }} is null{% endmacro %}
{% macro fabric__is_nan(expression) %}{{ sqlrec.sqlite__is_nan(expression) }}{% endmacro %}

-- A column of numbers, as it is ordered and compared. A column of SQLite may hold them as text, as each does
-- that its shell made of a file; the sum with 0 makes numbers of them.
{% macro numbers_of(column) %}{{ adapter.dispatch('numbers_of', 'sqlrec')(column) }}{% endmacro %}
{% macro default__numbers_of(column) %}{{ column }}{% endmacro %}
{% macro sqlite__numbers_of(column) %}{{ column }} + 0{% endmacro %}

-- A double as windows can be partitioned by it. In BigQuery only its text can; of -0 and 0 it is one.
{% macro part_of(expression) %}{{ adapter.dispatch('part_of', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__part_of(expression) %}{{ expression }}{% endmacro %}
{% macro bigquery__part_of(expression) %}cast({{ expression }} + 0 as string){% endmacro %}

-- What comes first by the larger value, with nulls `first` or `last`.
{% macro descending(expression, nulls) %}{{ adapter.dispatch('descending', 'sqlrec')(expression, nulls) }}{% endmacro %}
{% macro default__descending(expression, nulls) %}{{ expression }} desc nulls {{ nulls }}{% endmacro %}
{% macro bigquery__descending(expression, nulls) -%}
case when {{ expression }} is null then 1 else 0 end {{ 'desc' if nulls == 'first' else 'asc' }}, {{ expression }} desc
{%- endmacro %}
{% macro fabric__descending(expression, nulls) %}{{ sqlrec.bigquery__descending(expression, nulls) }}{% endmacro %}

-- The larger value first, and nulls last, which is the order of nulls that most engines have.
{% macro largest_first(expression) %}{{ adapter.dispatch('largest_first', 'sqlrec')(expression) }}{% endmacro %}
{% macro default__largest_first(expression) %}{{ expression }} desc{% endmacro %}
{% macro postgres__largest_first(expression) %}{{ expression }} desc nulls last{% endmacro %}
{% macro snowflake__largest_first(expression) %}{{ expression }} desc nulls last{% endmacro %}

-- Items by their ids, `asc` or `desc`: numbers as numbers, text by its code points.
{% macro by_item(direction, item='item_id') %}{{ adapter.dispatch('by_item', 'sqlrec')(direction, item) }}{% endmacro %}
{% macro default__by_item(direction, item) %}{{ item }} {{ direction }}{% endmacro %}
-- PostgreSQL orders text by the rules of the database's language, unless told otherwise, and an enum by
-- the order of its values.
{% macro postgres__by_item(direction, item) -%}
case when cast(pg_typeof({{ item }}) as text) in ('smallint', 'integer', 'bigint', 'numeric') then {{ item }} end {{ direction }}, cast({{ item }} as text) collate "C" {{ direction }}
{%- endmacro %}
{% macro redshift__by_item(direction, item) %}{{ sqlrec.default__by_item(direction, item) }}{% endmacro %}

-- An order of items by the characters of their ids, numbers too.
{% macro by_text(direction, item) %}{{ adapter.dispatch('by_text', 'sqlrec')(direction, item) }}{% endmacro %}
{% macro default__by_text(direction, item) %}{{ sqlrec.string(item) }} {{ direction }}{% endmacro %}
{% macro postgres__by_text(direction, item) %}cast({{ item }} as text) collate "C" {{ direction }}{% endmacro %}
{% macro redshift__by_text(direction, item) %}{{ sqlrec.default__by_text(direction, item) }}{% endmacro %}

-- DuckDB marks places as bits of one number, which takes less than to count them for each cutoff. A bigint has
-- bits for 62 places, a hugeint for 124; deeper places are counted.

-- How many rows of a list repeat a rank. Of ranks that no number has a bit for, a string of bits has some. A rank
-- below 1 breaks another rule.
{% macro repeated_ranks(last_place) %}{{ adapter.dispatch('repeated_ranks', 'sqlrec')(last_place) }}{% endmacro %}
{% macro default__repeated_ranks(last_place) %}count(*) - count(distinct rank){% endmacro %}
{% macro duckdb__repeated_ranks(last_place) -%}
count(*) - bit_count({{ sqlrec.marked_places(last_place) }})
{%- if last_place > 124 %}
        - coalesce(bit_count(bitstring_agg(case when rank between 125 and 1000 then rank end, 125, 1000)), 0)
        - coalesce(list_unique(list(rank) filter (where rank > 1000)), 0)
{%- endif -%}
{%- endmacro %}
{% macro marked_places(last_place, mark=1) -%}
{%- set bits, type = (62, 'bigint') if last_place <= 62 else (124, 'hugeint') -%}
bit_or(case when rank between 1 and {{ bits }} then cast({{ mark }} as {{ type }}) << rank else 0 end)
{%- endmacro %}

-- How many places of a list are within a cutoff. Dense lists leave no place out.
{% macro places_within(k, last_place, dense) -%}
{{ 'cast(' ~ sqlrec.least('count(*)', k) ~ ' as bigint)' if dense else adapter.dispatch('places_within', 'sqlrec')(k, last_place) }}
{%- endmacro %}
{% macro default__places_within(k, last_place) %}{{ sqlrec.row_count('case when rank <= ' ~ k ~ ' then 1 end') }}{% endmacro %}
{% macro duckdb__places_within(k, last_place) -%}
{{ 'cast(bit_count(' ~ sqlrec.marked_places(last_place) ~ ' & ' ~ (2 ** ([k, last_place] | min + 1) - 1) ~ ') as bigint)' if [k, last_place] | min <= 124 else sqlrec.default__places_within(k, last_place) }}
{%- endmacro %}

-- 1 where a column is 1 at a place of a list, else 0.
{% macro one_at(place, column, last_place) %}{{ adapter.dispatch('one_at', 'sqlrec')(place, column, last_place) }}{% endmacro %}
{% macro default__one_at(place, column, last_place) %}max(case when rank = {{ place }} then {{ column }} else 0 end){% endmacro %}
{% macro duckdb__one_at(place, column, last_place) -%}
{%- if place > last_place -%}
0
{%- elif place > 124 -%}
{{ sqlrec.default__one_at(place, column, last_place) }}
{%- else -%}
({{ sqlrec.marked_places(last_place, column) }} >> {{ place }}) & 1
{%- endif -%}
{%- endmacro %}

-- 1 where a row of a list in order is the item of the row before, else 0: an expression over rows in the order of
-- their keys and items. Empty where rows are not put in order: lists are then asked for different items. Sorting
-- takes DuckDB a third of that where ids are whole numbers, and the lists that follow come user by user.
{% macro follows_itself(plan, keys) %}{{ adapter.dispatch('follows_itself', 'sqlrec')(plan, keys) }}{% endmacro %}
{% macro default__follows_itself(plan, keys) %}{% endmacro %}
{% macro duckdb__follows_itself(plan, keys) -%}
{%- if plan.whole_ids and (keys == ['user_id'] or plan.recs[0].models) -%}
case when {% for key in keys %}{{ key }} = lag({{ key }}) over () and {% endfor %}item_id = lag(item_id) over () then 1 else 0 end
{%- endif -%}
{%- endmacro %}

-- The places of a list whose items the truth judges, in one value: an aggregate over rows of lists, which are in order
-- with those of the truth; and a query that has a row for each again. Empty where lists and truth are joined. One sort
-- that tells hits and repeats, and leaves no row to be read twice, takes DuckDB a quarter less for lists by rank.
{% macro gathered_places(plan) %}{{ adapter.dispatch('gathered_places', 'sqlrec')(plan) }}{% endmacro %}
{% macro default__gathered_places(plan) %}{% endmacro %}
{% macro duckdb__gathered_places(plan) -%}
{%- set hits_alone = plan.audit and plan.kinds | map(attribute='name') | list == ['hits'] -%}
{%- set one_list_by_rank = plan.order == 'rank' and plan.list_keys == ['user_id'] and not plan.lists -%}
{%- set once = plan.duplicates == 'error' and plan.truth_duplicates == 'error' -%}
{%- if hits_alone and one_list_by_rank and once and sqlrec.follows_itself(plan, ['user_id']) -%}
list({'rank': rank, 'item_id': item_id}) filter (where again = 1 and rank_before < 0)
{%- endif -%}
{%- endmacro %}
{% macro spread_places() %}(select user_id, unnest(judged_places, recursive := true) from list_lengths){% endmacro %}

-- A query with one column, number: the whole numbers from 1 to the last, or some more.
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
-- Redshift has no series beside tables.
{% macro redshift__counting(last) %}{{ sqlrec.default__counting(last) }}{% endmacro %}
{% macro spark__counting(last) %}select explode(sequence(1, {{ last }})) as number{% endmacro %}
{% macro clickhouse__counting(last) %}select arrayJoin(range(1, {{ last + 1 }})) as number{% endmacro %}
{% macro bigquery__counting(last) %}select number from unnest(generate_array(1, {{ last }})) as number{% endmacro %}
{% macro trino__counting(last) %}select number from unnest(sequence(1, {{ last }})) as counted (number){% endmacro %}
{% macro athena__counting(last) %}{{ sqlrec.trino__counting(last) }}{% endmacro %}

-- A query with the columns, and a row for each item of a list: item_id, and its place from 1.
{% macro unnested(columns, items, place, relation) %}{{ adapter.dispatch('unnested', 'sqlrec')(columns, items, place, relation) }}{% endmacro %}
{% macro duckdb__unnested(columns, items, place, relation) %}
    select
        {{ columns }},
        unnest({{ items }}) as item_id,
        generate_subscripts({{ items }}, 1) as {{ place }}
    from {{ relation }}
{%- endmacro %}
{% macro postgres__unnested(columns, items, place, relation) %}
    select
        {{ columns }},
        sqlrec_list.sqlrec_entry as item_id,
        sqlrec_list.sqlrec_place as {{ place }}
    from {{ relation }}
    cross join unnest({{ items }}) with ordinality as sqlrec_list (sqlrec_entry, sqlrec_place)
{%- endmacro %}
{% macro spark__unnested(columns, items, place, relation) %}
    select
        {{ columns }},
        sqlrec_list.sqlrec_entry as item_id,
        cast(sqlrec_list.sqlrec_place + 1 as bigint) as {{ place }}
    from {{ relation }}
    lateral view posexplode({{ items }}) sqlrec_list as sqlrec_place, sqlrec_entry
{%- endmacro %}
{% macro clickhouse__unnested(columns, items, place, relation) %}
    select
        {{ columns }},
        sqlrec_entry as item_id,
        cast(sqlrec_place as bigint) as {{ place }}
    from {{ relation }}
    array join {{ items }} as sqlrec_entry, arrayEnumerate({{ items }}) as sqlrec_place
{%- endmacro %}

-- What a statement ends with, so that it means the same. ClickHouse would write 0 and '' where a join
-- finds no row, and take a new name for the column of that name.
{% macro ending() %}{{ adapter.dispatch('ending', 'sqlrec')() }}{% endmacro %}
{% macro default__ending() %}{% endmacro %}
{% macro clickhouse__ending() %}settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1{% endmacro %}

-- The rows of values once for each metric, as columns metric and value: what a select reads from.
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

-- A column that becomes rows, and its name in these.
{% macro named_column(column, label) %}{{ adapter.dispatch('named_column', 'sqlrec')(column, label) }}{% endmacro %}
{% macro default__named_column(column, label) %}{{ column }}{{ ' as `' ~ label ~ '`' if label != column }}{% endmacro %}
{% macro bigquery__named_column(column, label) %}{{ column }}{{ " as '" ~ label ~ "'" if label != column }}{% endmacro %}
