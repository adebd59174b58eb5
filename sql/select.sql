-- Select lists of older kinds of rows, whose queries have only the columns that later queries name.
-- The last query is rendered first, and `used` has the names of columns and queries in it and in
-- those after it. For the entries `listed.rank, 1 as hit,` and a `used` of ['hit', 'list_length'],
-- `chosen` returns `, 1 as hit`.

-- The names in SQL text, except those in text constants and comments.
{% macro identifiers(sql) %}{{ return(modules.re.findall('\\b[a-z_]\\w*', sqlrec.without_text(sql)) | unique(case_sensitive=true) | list) }}{% endmacro %}

{% macro without_text(sql) %}
{{ return(modules.re.sub('--.*|' ~ sqlrec.constant(), ' ', sql)) }}
{% endmacro %}

-- The pattern of a text constant; some dialects escape an apostrophe with a backslash.
{% macro constant() %}{{ return("'(?:[^'\\\\]|\\\\.)*'" if sqlrec.spelling_here().backslashes else "'[^']*'") }}{% endmacro %}

-- The columns in an expression: its names, except functions, types and keywords.
{% macro columns_in(expression) %}
{% set code = modules.re.sub(' as [a-z0-9 ]+', ' ', sqlrec.without_text(expression)) %}
{{ return(modules.re.findall('\\b(?!(?:and|case|distinct|else|end|is|not|null|or|then|when)\\b)[a-z_][a-z0-9_]*\\b(?! *[(])', code) | unique(case_sensitive=true) | list) }}
{% endmacro %}

-- The columns that are qualified with a table.
{% macro read_of(table, sql) %}{{ return(modules.re.findall('\\b' ~ table ~ '[.]([a-z_0-9]+)', sqlrec.without_text(sql)) | unique(case_sensitive=true) | list) }}{% endmacro %}

-- The names that start with a prefix.
{% macro starting(used, start) %}
{% set names = [] %}
{% for name in used if name[:start | length] == start %}{% set _ = names.append(name) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The rest of the names that start with a prefix.
{% macro rests(used, start) %}
{% set rests = [] %}
{% for name in used if name[:start | length] == start %}{% set _ = rests.append(name[start | length:]) %}{% endfor %}
{{ return(rests) }}
{% endmacro %}

-- True if some of the names are used.
{% macro some_of(names, used) %}{{ return(names | select('in', used) | list | length > 0) }}{% endmacro %}

-- The entries of a select as a dict of expressions by name. Each entry ends its line with a comma;
-- an entry of several lines has no comma at the end of its other lines.
{% macro columns(entries) %}
{% set found = {} %}
{% for entry in (entries ~ '\n').split(',\n') if entry | trim %}
{% set entry = entry | trim %}
{% set parts = modules.re.findall('^(?:((?s:.*\\S))\\s+as |[a-z_0-9]+[.])?([a-z_0-9]+)$', entry) %}
{% if not parts or modules.re.search(' as [a-z_0-9]+\n', entry) %}
{{ exceptions.raise_compiler_error("'" ~ entry ~ "': write an expression, its name and a comma at the end of its line, as in `rank - 1 as misses,`, and no comma at the end of other lines") }}
{% endif %}
{% set expression, name = parts[0] %}
{% set _ = found.update({name: expression or entry}) %}
{% endfor %}
{{ return(found) }}
{% endmacro %}

-- Raises an error for unknown columns that names the file, before an engine raises one that does
-- not.
{% macro check_read(place, columns, known, fix) %}
{% for name in columns if name not in known %}
{{ exceptions.raise_compiler_error(place ~ " has no column '" ~ name ~ "': " ~ fix) }}
{% endfor %}
{% endmacro %}

-- A dict of expressions by name, with the name in place of {}.
{% macro each(names, expression) %}
{% set columns = {} %}
{% for name in names %}{% set _ = columns.update({name: expression | replace('{}', name)}) %}{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- The expressions of some names in such a dict.
{% macro picked(columns, names) %}
{% set found = [] %}
{% for name in names %}{% set _ = found.append(columns[name]) %}{% endfor %}
{{ return(found) }}
{% endmacro %}

-- The used columns of a dict of expressions by name: entries of a select, after other entries.
-- Plain columns share a line.
{% macro chosen(columns, used) -%}
{%- set lines = [] -%}
{%- set columns = sqlrec.columns(columns) if columns is string else columns -%}
{%- for name, expression in columns.items() if name in used and expression is not none -%}
{%- set entry = sqlrec.named(expression, name) -%}
{%- if lines and sqlrec.is_column(expression) and sqlrec.is_column(lines[-1].split(', ')[-1]) and (lines[-1] ~ entry) | length < 80 -%}
{%- set _ = lines.append(lines.pop() ~ ', ' ~ entry) -%}
{%- else -%}
{%- set _ = lines.append(entry) -%}
{%- endif -%}
{%- endfor -%}
{%- for line in lines -%}
{{ ', ' if loop.first and sqlrec.is_column(line.split(', ')[0]) and line | length < 60 else ',\n        ' }}{{ line }}
{%- endfor %}
{%- endmacro %}

-- These columns as the first entries of a select.
{% macro entries(columns, used) %}{{ (sqlrec.chosen(columns, used) | trim)[1:] | trim }}{% endmacro %}

-- Optional columns, joins and queries, printed only if they are named. Columns are entries of a
-- select, after other entries; joins and named queries are one below the other. The last join or
-- query is checked first, since it may name earlier ones.
{% macro kept_columns(named) %}{{ sqlrec.chosen(caller(), named) }}{% endmacro %}
{% macro kept_joins(named) %}
{% set joins, named, kept = caller().strip('\n'), named + [], [] %}
{#- A join within a joined query has a larger indent. #}
{% set start = modules.re.findall('^ *', joins)[0] %}
{% for join in modules.re.split('\\n(?=' ~ start ~ '(?:left |cross )?join )', joins) | reverse if join | trim %}
{% set table = modules.re.findall('join (?:[(][^;]*[)] as |\\w+ as )?(\\w+)', join)[0] %}
{% if table in named %}
{% set _ = named.extend(modules.re.findall('(\\w+)[.]', join)) %}
{% set _ = kept.insert(0, join) %}
{% endif %}
{% endfor %}
{{ kept | join('\n') }}
{% endmacro %}
{% macro kept_queries(named) %}
{% for query in sqlrec.queries_read(sqlrec.named_queries(caller()), named) %}
{{ sqlrec.as_query(query, query.name, query.sql) }},
{% endfor %}
{% endmacro %}
{% macro queries_read(queries, named) %}
{% set named, kept = named + [], [] %}
{% for query in queries | reverse if query.name in named %}
{% set _ = named.extend(sqlrec.identifiers(query.sql)) %}
{% set _ = kept.insert(0, query) %}
{% endfor %}
{{ return(kept) }}
{% endmacro %}

-- True if an expression is a column of a table, possibly under another name.
{% macro is_column(expression) %}
{{ return(modules.re.fullmatch('([a-z_0-9]+[.])?[a-z_0-9]+( as [a-z_0-9]+)?', expression) is not none) }}
{% endmacro %}

-- An expression under a name, without repeating the name. ClickHouse needs it repeated for a joined
-- table's column.
{% macro named(expression, name) -%}
{%- if expression == name or adapter.type() != 'clickhouse' and modules.re.fullmatch('[a-z_0-9]+[.]' ~ name, expression) -%}
{{ expression }}
{%- else -%}
{{ expression }} as {{ name }}
{%- endif -%}
{%- endmacro %}

-- Entries of a list, wrapped into lines.
{% macro wrapped(entries, between=',', start='        ') -%}
{%- set lines = [] -%}
{%- for entry in entries -%}
{%- if lines and (lines[-1] ~ entry) | length < 84 -%}
{%- set _ = lines.append(lines.pop() ~ between ~ ' ' ~ entry) -%}
{%- else -%}
{%- set _ = lines.append(entry) -%}
{%- endif -%}
{%- endfor -%}
{{ lines | join(between ~ '\n' ~ start) }}
{%- endmacro %}

-- A list of names, qualified with a table if there is one.
{% macro names(columns, table=none) -%}
{%- for column in columns %}{{ table ~ '.' if table }}{{ column }}{{ ', ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- Columns of a joined table, as entries of a select. ClickHouse needs their names repeated.
{% macro columns_of(columns, table) -%}
{%- set entries = [] -%}
{%- for column in columns %}{% set _ = entries.append(sqlrec.named(table ~ '.' ~ column, column)) %}{% endfor -%}
{{ sqlrec.wrapped(entries) }}
{%- endmacro %}

-- A condition: two tables have equal values in these columns.
{% macro same(columns, left, right) -%}
{%- for column in columns %}{{ left }}.{{ column }} = {{ right }}.{{ column }}{{ ' and ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- A running sum down a list: over its rows from the first place to this one.
{% macro running_sum(expression, keys, rank) -%}
sum({{ expression }}) over (
            partition by {{ keys }} order by {{ rank }} asc rows between unbounded preceding and current row
        )
{%- endmacro %}

-- Cutoffs. A single cutoff is a number in the text, not a column.

-- The key columns of a value: the columns passed, and the cutoff if there are several.
{% macro with_cutoff(plan, columns) %}{{ return(columns + ([] if plan.k else ['k'])) }}{% endmacro %}

-- The cutoff of a row of a table.
{% macro k_of(plan, table) -%}
{{ plan.k or table ~ '.k' }}
{%- endmacro %}

-- A rank is within the cutoff: a condition.
{% macro is_within(plan, rank, table) -%}
{{ rank }} {{ 'is not null' if plan.k == plan.whole_list else '<= ' ~ sqlrec.k_of(plan, table) }}
{%- endmacro %}

-- This condition after `and`, or as a clause; empty if all ranks are within the cutoff.
{% macro and_within(plan, rank, table) %}{{ 'and ' ~ sqlrec.is_within(plan, rank, table) if not sqlrec.is_all(plan) }}{% endmacro %}
{% macro where_within(plan, rank, table) %}{{ 'where ' ~ sqlrec.is_within(plan, rank, table) if not sqlrec.is_all(plan) }}{% endmacro %}
{% macro is_all(plan) %}{{ return(plan.k == plan.whole_list and not plan.audit) }}{% endmacro %}

-- A clause without the cutoffs at which no metric of a kind is requested.
{% macro where_requested(plan, kind, table, word='where') -%}
{{ word ~ ' ' ~ table ~ '.k in (' ~ kind.cutoffs | join(', ') ~ ')' if kind.cutoffs | length < plan.cutoffs | length }}
{%- endmacro %}

-- Non-empty conditions as a clause.
{% macro where_clause(conditions) -%}
{%- for condition in conditions | select | list %}{{ 'where ' if loop.first else ' and ' }}{{ condition }}{% endfor -%}
{%- endmacro %}
