-- Names and text constants, written as each dialect reads them; in dbt, as sqlrec/dialects.py does in Python.

-- The name of a column, quoted unless every dialect takes it as it is. Snowflake stores what is not quoted in
-- upper case, so a name as it is stored has to be quoted there.
{% macro identifier(name, stored=false) -%}
{%- if not name -%}
{{ sqlrec.refuse("'' is no name: give the name of a column") }}
{%- elif stored and adapter.type() == 'snowflake' -%}
{{ sqlrec.default__quoted(sqlrec.one_line(name)) }}
{%- elif modules.re.fullmatch('[a-z_][a-z0-9_]*', name) and name not in sqlrec.reserved_words() -%}
{{ name }}
{%- else -%}
{{ adapter.dispatch('quoted', 'sqlrec')(sqlrec.one_line(name)) }}
{%- endif -%}
{%- endmacro %}
{% macro default__quoted(name) %}"{{ name | replace('"', '""') }}"{% endmacro %}
{% macro spark__quoted(name) %}`{{ name | replace('`', '``') }}`{% endmacro %}
-- Snowflake stores what is not quoted in upper case, so a plain name means that.
{% macro snowflake__quoted(name) -%}
{{ sqlrec.default__quoted(name | upper if modules.re.fullmatch('[a-z_][a-z0-9_]*', name) else name) }}
{%- endmacro %}
-- SQLite takes a name in double quotes that is no column for a text constant.
{% macro sqlite__quoted(name) %}{{ sqlrec.spark__quoted(name) }}{% endmacro %}
{% macro bigquery__quoted(name) -%}
{%- for sign in ['\\', '`', '.'] if sign in name -%}
{{ sqlrec.refuse("'" ~ name ~ "' has a " ~ sign ~ ", which bigquery can't quote: rename it") }}
{%- endfor -%}
`{{ name }}`
{%- endmacro %}
{% macro clickhouse__quoted(name) -%}
{%- if '\\' in name -%}
{{ sqlrec.refuse("'" ~ name ~ "' has a \\, which clickhouse can't quote: rename it") }}
{%- endif -%}
{{ sqlrec.default__quoted(name) }}
{%- endmacro %}

-- A text constant.
{% macro text(value) %}{{ adapter.dispatch('text', 'sqlrec')(sqlrec.one_line(value)) }}{% endmacro %}
{% macro default__text(value) %}'{{ value | replace("'", "''") }}'{% endmacro %}
{% macro spark__text(value) %}'{{ value | replace('\\', '\\\\') | replace("'", "\\'") }}'{% endmacro %}
{% macro bigquery__text(value) %}{{ sqlrec.spark__text(value) }}{% endmacro %}
{% macro snowflake__text(value) %}{{ sqlrec.spark__text(value) }}{% endmacro %}
{% macro clickhouse__text(value) %}{{ sqlrec.spark__text(value) }}{% endmacro %}
{% macro postgres__text(value) -%}
{%- if '\\' in value -%}
{{ sqlrec.refuse("'" ~ value ~ "' has a backslash, which " ~ adapter.type() ~ ' may take away: rename it') }}
{%- endif -%}
{{ sqlrec.default__text(value) }}
{%- endmacro %}

-- Refuses what would change on its way: by the layout of a statement, or as Spark's variable.
{% macro one_line(name) -%}
{%- if modules.re.search('[\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]', name) -%}
{{ sqlrec.refuse("'" ~ name ~ "' has a line break or another control character: rename it") }}
{%- elif '${' in name and adapter.type() in ['spark', 'databricks'] -%}
{{ sqlrec.refuse("'" ~ name ~ "' has a ${, which " ~ adapter.type() ~ ' takes for a variable: rename it') }}
{%- endif -%}
{{ name }}
{%- endmacro %}
