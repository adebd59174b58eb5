-- Removes unread parts of a statement, since its queries are written with all columns and keys.
-- Python parses the statement to do this (sqlrec/rendering/prune.py). These macros only remove
-- whole queries, lines of unread columns, joins that match at most one row, and the model if there
-- is only one; engines remove the rest. `of_model` is false if the last queries of the statement
-- read the model.

{% macro prune_statement(statement, of_model=true) %}
{% set queries = sqlrec.named_queries(statement) %}
{% if not queries %}{{ return(statement) }}{% endif %}
{% set head, last = statement[:statement.find('with\n')], statement[statement.find('\n)\n') + 3:] %}
{% if of_model and "select 'recs' as model\n)" in statement %}
{% for query in queries if not modules.re.search('(results|means|values)$', query.name) %}
{% set _ = query.update(sql=sqlrec.drop_model_column(query.sql)) %}
{% endfor %}
{% endif %}
{{ return(head ~ sqlrec.keep_read_queries(queries, last)) }}
{% endmacro %}

-- The last query, after the named queries that it reads, directly or indirectly. With `whole`, queries keep their
-- unread lines.
{% macro keep_read_queries(queries, last, whole=false) %}
{% set named, texts = sqlrec.identifiers(last), [] %}
{% for query in queries | reverse %}
{# Inside the loop: dbt 2 evaluates a condition of the loop before names are added. #}
{% if query.name in named %}
{% set sql = query.sql if whole else sqlrec.drop_unread_lines(query.sql, named) %}
{% set _ = named.extend(sqlrec.identifiers(sql)) %}
{% set _ = texts.insert(0, sqlrec.query_text(query, query.name, sql)) %}
{% endif %}
{% endfor %}
{{ return('with\n' ~ texts | join(',\n\n') ~ '\n\n' ~ last | trim) }}
{% endmacro %}

-- A query without the model, which is constant.
{% macro drop_model_column(sql) %}
{% set sql = modules.re.sub("\\b(\\w+[.])?model = (lag[(]model[)] over [(][)]|(\\w+[.])?model)\\s+and ", '', sql) %}
{% set sql = modules.re.sub("'recs' as model,\\s*|\\b(\\w+[.])?model, |, model\\b(?= order by)", '', sql) %}
{{ return(modules.re.sub('\\s+(cross join (\\w+ as )?\\w*models|group by model)$', '', sql, flags=8)) }}
{% endmacro %}

-- A query without unread columns and joins.
{% macro drop_unread_lines(sql, named) %}
{% set parts = modules.re.findall('(?s)^    select(\\s+)(?!distinct)(.*?)(\n    from .*)$', sql) %}
{% if not parts or '\n    union' in sql or '--' in sql %}{{ return(sql) }}{% endif %}
{% set space, columns, rest = parts[0] %}
{% set kept = [] %}
{% for entry in modules.re.split(',\n        (?=[^ )])', columns) %}
{# Names in brackets are names of other queries. #}
{% set outside = namespace(text=entry) %}
{% for _ in range(8) %}{% set outside.text = modules.re.sub('[(][^()]*[)]', '', outside.text) %}{% endfor %}
{% set names = modules.re.findall('\\w+(?=, |,$|$)', outside.text) %}
{% set _ = kept.append(sqlrec.qualify_alias(entry)) if not names or names | select('in', named) | list %}
{% endfor %}
{% set joins = namespace(rest=rest) %}
{% for name in sqlrec.single_row_joins() %}
{# With several sets of rules, a query is read under its name in the other sets. #}
{% set join = '\n    (?:left|cross) join (?:\\w+ as )?' ~ name ~ '\\b(?! as ).*(?:\n        .*)*' %}
{% set without = modules.re.sub(join, '', joins.rest) %}
{% set joins.rest = joins.rest if name ~ '.' in kept | join(' ') ~ without else without %}
{% endfor %}
{{ return('    select' ~ space ~ (kept or columns.split(',\n')[:1]) | join(',\n        ') ~ joins.rest) }}
{% endmacro %}

-- Adds aliases to columns of joined tables, because ClickHouse requires them.
{% macro qualify_alias(entry) %}
{% set is_plain = adapter.type() != 'clickhouse' or '(' in entry %}
{{ return(entry if is_plain else modules.re.sub('(^|, )(\\w+[.])(\\w+)(?=,|$)', '\\1\\2\\3 as \\3', entry)) }}
{% endmacro %}

-- Removes the empty lines of macros, adds one after each named query, and writes the engine's words.
{% macro tidy_white_space(sql) -%}
{%- for line in sqlrec.in_dialect(sql).splitlines() if line | trim -%}
{{ line.rstrip() }}{{ '\n' if line.rstrip() in [')', '),'] else '' }}{{ '' if loop.last else '\n' }}
{%- endfor -%}
{%- endmacro %}
