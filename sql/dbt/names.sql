-- Names and text constants in each dialect, like sqlrec/dialects.py in Python.

-- The column name, quoted unless every dialect accepts it without quotes. Snowflake stores unquoted
-- names in upper case, so a stored name has to be quoted there, and an unquoted name means the
-- upper-case name.
{% macro identifier(name, stored=false) -%}
{%- set known = sqlrec.spelling_here() -%}
{%- set plain = modules.re.fullmatch('[a-z_][a-z0-9_]*', name) and not (stored and known.upper_case) -%}
{%- if plain and name not in sqlrec.reserved_words() -%}{{ return(name) }}{%- endif -%}
{{- sqlrec.require(name, 'name_empty') -}}
{%- for sign in known.unquotable if sign in name -%}
{{ sqlrec.raise_error('name_sign', name=name, sign=sign, dialect=adapter.type()) }}
{%- endfor -%}
{%- set name = sqlrec.one_line(name | upper if plain and known.upper_case else name) -%}
{{ return(known.quote ~ name | replace(known.quote, known.quote ~ known.quote) ~ known.quote) }}
{%- endmacro %}

-- A text constant.
{% macro text(value) -%}
{%- set backslashes = sqlrec.spelling_here().backslashes -%}
{%- set holds = backslashes is not none or '\\' not in value -%}
{{- sqlrec.require(holds, 'name_backslash', name=value, dialect=adapter.type()) -}}
{%- set value = sqlrec.one_line(value) -%}
{%- set value = value | replace('\\', '\\\\') | replace("'", "\\'") if backslashes else value | replace("'", "''") -%}
{{ return("'" ~ value ~ "'") }}
{%- endmacro %}

-- Rejects text that the layout of a statement, or Spark's variables, would change.
{% macro one_line(name) -%}
{%- set control = modules.re.search('[\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]', name) -%}
{{- sqlrec.require(not control, 'name_control', name=name) -}}
{%- set variable = '${' in name and sqlrec.spelling_here().variables -%}
{{- sqlrec.require(not variable, 'name_variable', name=name, dialect=adapter.type()) -}}
{{ return(name) }}
{%- endmacro %}
