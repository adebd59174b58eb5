-- Names and text constants, written as each dialect reads them; in dbt, as sqlrec/dialects.py does in Python.

-- The name of a column, quoted unless every dialect takes it as it is. Snowflake stores what is not quoted in
-- upper case, so a name as it is stored has to be quoted there, and a plain one means that.
{% macro identifier(name, stored=false) -%}
{%- set known = sqlrec.spelling_here() -%}
{%- set plain = modules.re.fullmatch('[a-z_][a-z0-9_]*', name) and not (stored and known.upper_case) -%}
{%- if plain and name not in sqlrec.reserved_words() -%}{{ return(name) }}{%- endif -%}
{{- sqlrec.require(name, "'' is not a name: give the name of a column") -}}
{%- for sign in known.unquotable if sign in name -%}
{{ sqlrec.refuse("'" ~ name ~ "' has a " ~ sign ~ ', which ' ~ adapter.type() ~ " can't quote: rename it") }}
{%- endfor -%}
{%- set name = sqlrec.one_line(name | upper if plain and known.upper_case else name) -%}
{{ return(known.quote ~ name | replace(known.quote, known.quote ~ known.quote) ~ known.quote) }}
{%- endmacro %}

-- A text constant.
{% macro text(value) -%}
{%- set backslashes = sqlrec.spelling_here().backslashes -%}
{{- sqlrec.require(
    backslashes is not none or '\\' not in value,
    "'" ~ value ~ "' has a backslash, which " ~ adapter.type() ~ ' may take away: rename it'
) -}}
{%- set value = sqlrec.one_line(value) -%}
{%- set value = value | replace('\\', '\\\\') | replace("'", "\\'") if backslashes else value | replace("'", "''") -%}
{{ return("'" ~ value ~ "'") }}
{%- endmacro %}

-- How the dialect at hand writes; one that is not known writes as most do.
{% macro spelling_here() %}
{% set spelling = sqlrec.spelling() %}
{{ return(spelling.get(adapter.type(), spelling.trino)) }}
{% endmacro %}

-- Refuses what would change on its way: by the layout of a statement, or as Spark's variable.
{% macro one_line(name) -%}
{{- sqlrec.require(
    not modules.re.search('[\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]', name),
    "'" ~ name ~ "' has a line break or another control character: rename it"
) -}}
{{- sqlrec.require(
    '${' not in name or not sqlrec.spelling_here().variables,
    "'" ~ name ~ "' has a ${, which " ~ adapter.type() ~ ' takes for a variable: rename it'
) -}}
{{ return(name) }}
{%- endmacro %}
