-- Names in SQL text, and parts of select lists and conditions.

-- The names in SQL text, except names in text constants and comments.
{% macro identifiers(sql) %}
{% set code = modules.re.sub('--.*|' ~ sqlrec.constant(), ' ', sql) %}
{{ return(modules.re.findall('\\b[a-z_]\\w*', code) | unique(case_sensitive=true) | list) }}
{% endmacro %}

-- The pattern of a string constant; some dialects escape an apostrophe with a backslash.
{% macro constant() %}{{ return("'(?:[^'\\\\]|\\\\.)*'" if sqlrec.spelling_here().backslashes else "'[^']*'") }}{% endmacro %}

-- The columns in an expression: its names, except functions, types and keywords.
{% macro column_names(expression) %}
{% set code = modules.re.sub('--.*|' ~ sqlrec.constant() ~ '| as [a-z0-9 ]+', ' ', expression) %}
{{ return(modules.re.findall('\\b(?!(?:and|case|distinct|else|end|is|not|null|or|then|when)\\b)[a-z_][a-z0-9_]*\\b(?! *[(])', code) | unique(case_sensitive=true) | list) }}
{% endmacro %}

-- The names of the columns in a select list, and possibly names in their expressions.
{% macro entry_names(entries) %}{{ return(modules.re.findall('(\\w+)(?=,\\s|\\s*$)', entries)) }}{% endmacro %}

-- The names that start with a prefix.
{% macro names_with_prefix(used, start) %}{{ return(modules.re.findall('\\b' ~ start ~ '\\w+', used | join(' '))) }}{% endmacro %}

-- The names that start with a prefix, without the prefix.
{% macro name_suffixes(used, start) %}{{ return(modules.re.findall('\\b' ~ start ~ '(\\w+)', used | join(' '))) }}{% endmacro %}

-- True if some of the names are used.
{% macro uses_any(names, used) %}{{ return(names | select('in', used) | list | length > 0) }}{% endmacro %}

-- A dict of expressions by name; the name replaces {} in the expression.
{% macro each(names, expression) %}
{% set columns = {} %}
{% for name in names %}{% set _ = columns.update({name: expression | replace('{}', name)}) %}{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- True if an expression is a column of a table, possibly under another name.
{% macro is_column(expression) %}
{{ return(modules.re.fullmatch('([a-z_0-9]+[.])?[a-z_0-9]+( as [a-z_0-9]+)?', expression) is not none) }}
{% endmacro %}

-- An expression with its name as alias, which is omitted if the expression ends with it. ClickHouse
-- needs the alias for a joined table's column.
{% macro with_alias(expression, name) -%}
{%- if expression == name or adapter.type() != 'clickhouse' and modules.re.fullmatch('[a-z_0-9]+[.]' ~ name, expression) -%}
{{ expression }}
{%- else -%}
{{ expression }} as {{ name }}
{%- endif -%}
{%- endmacro %}

-- Entries of a list, wrapped into lines.
{% macro wrap_entries(entries, between=',', start='        ') -%}
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

-- Columns of a joined table, as entries of a select. ClickHouse needs an alias for each.
{% macro columns_of(columns, table) -%}
{%- set entries = [] -%}
{%- for column in columns %}{% set _ = entries.append(sqlrec.with_alias(table ~ '.' ~ column, column)) %}{% endfor -%}
{{ sqlrec.wrap_entries(entries) }}
{%- endmacro %}

-- A condition: two tables have equal values in these columns.
{% macro equal_columns(columns, left, right) -%}
{%- for column in columns %}{{ left }}.{{ column }} = {{ right }}.{{ column }}{{ ' and ' if not loop.last }}{% endfor -%}
{%- endmacro %}

-- The condition that keeps the cutoffs of a metric or a kind, if rows have more cutoffs. Kinds read
-- the same evaluated users and list lengths, which have all cutoffs of a call.
{% macro where_cutoffs(part, whole, column='k') -%}
{{ 'where ' ~ column ~ ' in (' ~ part.cutoffs | join(', ') ~ ')' if part.cutoffs | length < whole.cutoffs | length }}
{%- endmacro %}
