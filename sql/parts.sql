-- Several sets of rules in one statement. The named queries of each set follow each other. Lists
-- with the same rules are ranked once, and a query that is equal for several sets is written once.

-- The named queries; the last query is named `rows` and contains the rows of all sets.
{% macro rows_of_parts(plan, rows) %}
{% set parts = [] %}
{% for part in plan.parts if part.kinds | selectattr('per_user') | list or rows[:5] != 'user_' %}
{% set _ = parts.append(part) %}
{% endfor %}
{# If lists are ranked in several ways, the plain form reads recs once for all ways. evaluate reads recs for each way:
   in DuckDB, materializing the rows would take a quarter more time. #}
{% set known, made, ways = {}, {}, parts | map(attribute='lists') | reject('none') | unique | list %}
with
{%- for way in ways %}
{% set own = {} %}
{#- All parts have the same ranking, so any part can be used. #}
{% set first = dict(parts | selectattr('lists', 'equalto', way) | first, used=[]) %}
{{ sqlrec.prefix_queries(sqlrec.ranked_lists(first) ~ sqlrec.lengths_of_lists(first), way ~ '_', own, {} if plan.audit else known) }}
{% set _ = made.update({way: own}) %}
{%- endfor %}
{% set rules = sqlrec.limits().rules %}
{%- for part in parts %}
{% set new = dict(made.get(part.lists, {})) %}
{% set words = [] %}
{% for name in rules if part[name] is not none and (name != 'seen' or part.seen != 'keep') %}{% set _ = words.append(name ~ ' ' ~ part[name]) %}{% endfor %}
-- {{ part.title }}: {{ words | join(', ') }}.
{{ sqlrec.prefix_queries(sqlrec.rows_by_rules(part, rows), part.name ~ '_', new, known) }}
{%- endfor %}
{{ rows }} as (
    {%- for part in parts %}
    {{ 'union all' if not loop.first }}
    select {{ sqlrec.result_columns(plan, rows) }}
    from {{ part.name }}_{{ rows }}
    {%- endfor %}
)
{%- endmacro %}

-- Adds a prefix to the names of queries. `new` maps names to new names, and is extended; `known`
-- maps the text of each earlier query to its name.
{% macro prefix_queries(text, prefix, new, known) %}
{% for query in sqlrec.named_queries(text) %}
{% set sql = sqlrec.rename_sources(query.sql, new) %}
{% set _ = new.update({query.name: known.get(sql, prefix ~ query.name)}) %}
{% if sql not in known %}
{% set _ = known.update({sql: prefix ~ query.name}) %}
{{ sqlrec.query_text(query, prefix ~ query.name, sql) }},
{% endif %}
{% endfor %}
{% endmacro %}

-- The named queries in a string, in order, each with its comment, name and SQL.
{% macro named_queries(text) %}
{% set queries = [] %}
{% set shape = '(?ms)((?:^--[^\n]*\n\\s*)*)^(\\w+) as ((?:not )?materialized )?\\(\n(.*?)^\\),?$' %}
{% for comments, name, fence, sql in modules.re.findall(shape, text) %}
{% set _ = queries.append({'comments': comments or '', 'name': name, 'fence': fence or '', 'sql': sql}) %}
{% endfor %}
{{ return(queries) }}
{% endmacro %}

-- A named query as text, with another name and other SQL.
{% macro query_text(query, name, sql) -%}
{{ query.comments }}{{ name }} as {{ query.fence }}(
{{ sql.rstrip() }}
)
{%- endmacro %}

-- A query that reads other queries under new names; the old names become aliases if columns are qualified with them.
-- The pattern contains no names of queries, so it is compiled only once.
{% macro rename_sources(query, new) -%}
{%- set tables = modules.re.findall('(\\w+)[.]', query) -%}
{%- set reads = '\\b(?:from|join) \\w+(?![\\w."])' -%}
{%- set pieces = modules.re.split('(' ~ sqlrec.constant() ~ '|--[^\n]*|' ~ reads ~ ')', query) -%}
{%- for piece in pieces -%}
{%- if loop.index0 % 2 and piece[:5] in ['from ', 'join '] and new.get(piece[5:], piece[5:]) != piece[5:] -%}
{{ piece[:5] }}{{ new[piece[5:]] }}{{ ' as ' ~ piece[5:] if piece[5:] in tables and pieces[loop.index][:4] != ' as ' }}
{%- else -%}
{{ piece }}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}
