-- What select lists of older kinds of rows are made of. There a named query has a column only where a query after it
-- names that column:
-- the last query is written first, and `used` is what it and those after it name: columns and queries alike. So
-- `chosen` makes of the entries `listed.rank, 1 as hit,` and a `used` of ['hit', 'list_length'] the text `, 1 as hit`.

-- The names in some SQL: not what stands in text constants and comments.
{% macro identifiers(sql) %}{{ return(modules.re.findall('\\b[a-z_][a-z0-9_]*', sqlrec.without_text(sql)) | unique(case_sensitive=true) | list) }}{% endmacro %}

{% macro without_text(sql) %}
{{ return(modules.re.sub('--.*|' ~ sqlrec.constant(), ' ', sql)) }}
{% endmacro %}

-- What a text constant looks like: where an apostrophe in it is written with a backslash, others are too.
{% macro constant() %}{{ return("'(?:[^'\\\\]|\\\\.)*'" if sqlrec.spelling_here().backslashes else "'[^']*'") }}{% endmacro %}

-- The columns in an expression: its names but those of functions and types, and SQL's own words.
{% macro columns_in(expression) %}
{% set code = modules.re.sub(' as [a-z0-9 ]+', ' ', sqlrec.without_text(expression)) %}
{{ return(modules.re.findall('\\b(?!(?:and|case|distinct|else|end|is|not|null|or|then|when)\\b)[a-z_][a-z0-9_]*\\b(?! *[(])', code) | unique(case_sensitive=true) | list) }}
{% endmacro %}

-- The columns of a table that are named with it.
{% macro read_of(table, sql) %}{{ return(modules.re.findall('\\b' ~ table ~ '[.]([a-z_0-9]+)', sqlrec.without_text(sql)) | unique(case_sensitive=true) | list) }}{% endmacro %}

-- Those names that start with some letters.
{% macro starting(used, start) %}
{% set names = [] %}
{% for name in used if name[:start | length] == start %}{% set _ = names.append(name) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

-- What follows these letters in the names that start with them.
{% macro rests(used, start) %}
{% set rests = [] %}
{% for name in used if name[:start | length] == start %}{% set _ = rests.append(name[start | length:]) %}{% endfor %}
{{ return(rests) }}
{% endmacro %}

-- True if some of the names are used.
{% macro some_of(names, used) %}{{ return(names | select('in', used) | list | length > 0) }}{% endmacro %}

-- The entries of a select, written as SQL, as a dict of expressions by name. Each ends its line with a comma; one
-- of several lines has no comma at the end of the others.
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

-- Refuses columns that are read of a place that lacks them, before an engine says so without the file.
{% macro check_read(place, columns, known, fix) %}
{% for name in columns if name not in known %}
{{ exceptions.raise_compiler_error(place ~ " has no column '" ~ name ~ "': " ~ fix) }}
{% endfor %}
{% endmacro %}

-- An expression for each of some names: a dict of columns, in which the name stands where it has {}.
{% macro each(names, expression) %}
{% set columns = {} %}
{% for name in names %}{% set _ = columns.update({name: expression | replace('{}', name)}) %}{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- The expressions of some names, of such a dict.
{% macro picked(columns, names) %}
{% set found = [] %}
{% for name in names %}{% set _ = found.append(columns[name]) %}{% endfor %}
{{ return(found) }}
{% endmacro %}

-- The columns that are used, of a dict of expressions by name: entries of a select that has others before.
-- Those that are a column as it stands share a line.
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

-- The same where no others stand before.
{% macro entries(columns, used) %}{{ (sqlrec.chosen(columns, used) | trim)[1:] | trim }}{% endmacro %}

-- What is written whole and printed as far as it is named. Columns stand as the entries of a select that has
-- others before, and joins and named queries below each other. The last join or query is looked at first: it may
-- name those before it.
{% macro kept_columns(named) %}{{ sqlrec.chosen(caller(), named) }}{% endmacro %}
{% macro kept_joins(named) %}
{% set joins, named, kept = caller().strip('\n'), named + [], [] %}
{#- A join in a query that is joined stands further to the right. #}
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

-- True if an expression is a column of a table, maybe under another name.
{% macro is_column(expression) %}
{{ return(modules.re.fullmatch('([a-z_0-9]+[.])?[a-z_0-9]+( as [a-z_0-9]+)?', expression) is not none) }}
{% endmacro %}

-- An expression under a name, which is not said twice. ClickHouse asks for that of a joined table's column.
{% macro named(expression, name) -%}
{%- if expression == name or adapter.type() != 'clickhouse' and modules.re.fullmatch('[a-z_0-9]+[.]' ~ name, expression) -%}
{{ expression }}
{%- else -%}
{{ expression }} as {{ name }}
{%- endif -%}
{%- endmacro %}

-- Entries of a list, on as many lines as they need.
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

-- Names in a list, of a table where one is given.
{% macro names(columns, table=none) -%}
{%- for column in columns %}{{ table ~ '.' if table }}{{ column }}{{ ', ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- Columns of a joined table, as entries of a select. ClickHouse asks for the name to be given again.
{% macro taken(columns, table) -%}
{%- set entries = [] -%}
{%- for column in columns %}{% set _ = entries.append(sqlrec.named(table ~ '.' ~ column, column)) %}{% endfor -%}
{{ sqlrec.wrapped(entries) }}
{%- endmacro %}

-- Two tables agree in their columns of these names.
{% macro same(columns, left, right) -%}
{%- for column in columns %}{{ left }}.{{ column }} = {{ right }}.{{ column }}{{ ' and ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- A running sum down a list: over its rows from the first place to this one.
{% macro so_far(expression, keys, rank) -%}
sum({{ expression }}) over (
            partition by {{ keys }} order by {{ rank }} asc rows between unbounded preceding and current row
        )
{%- endmacro %}

-- Cutoffs. Where one is asked it is a number in the text, and no column.

-- The columns that tell a value from others: those given, and the cutoff where there are several.
{% macro with_cutoff(plan, columns) %}{{ return(columns + ([] if plan.k else ['k'])) }}{% endmacro %}

-- The cutoff of a row of a table.
{% macro k_of(plan, table) -%}
{{ plan.k or table ~ '.k' }}
{%- endmacro %}

-- A rank is within the cutoff: a condition.
{% macro within(plan, rank, table) -%}
{{ rank }} {{ 'is not null' if plan.k == plan.whole_list else '<= ' ~ sqlrec.k_of(plan, table) }}
{%- endmacro %}

-- The same as a condition that goes on, or as a clause: without either, where all that is ranked is within.
{% macro and_within(plan, rank, table) %}{{ 'and ' ~ sqlrec.within(plan, rank, table) if not sqlrec.is_all(plan) }}{% endmacro %}
{% macro where_within(plan, rank, table) %}{{ 'where ' ~ sqlrec.within(plan, rank, table) if not sqlrec.is_all(plan) }}{% endmacro %}
{% macro is_all(plan) %}{{ return(plan.k == plan.whole_list and not plan.audit) }}{% endmacro %}

-- Leaves out the cutoffs at which no metric of a kind is asked: conditions that go on where there are any.
{% macro where_asked(plan, kind, table, word='where') -%}
{{ word ~ ' ' ~ table ~ '.k in (' ~ kind.cutoffs | join(', ') ~ ')' if kind.cutoffs | length < plan.cutoffs | length }}
{%- endmacro %}

-- The conditions that there are, as a clause.
{% macro where(conditions) -%}
{%- for condition in conditions | select | list %}{{ 'where ' if loop.first else ' and ' }}{{ condition }}{% endfor -%}
{%- endmacro %}
