-- Reads and checks options of a call, as declared in sqlrec/options.py.

-- All options. An option that is not passed has the project's default, which is in `vars` under the name sqlrec, or
-- sqlrec's default. `given` contains the rules that are passed, and `models` contains the lists by
-- model name.
{% macro read_options(given) %}
{% set declared, tables, defaults = sqlrec.options(), sqlrec.tables(), var('sqlrec', {}) %}
{{ sqlrec.require(defaults is mapping, 'vars', value=defaults) }}
{% for name in defaults %}{{ sqlrec.check_known('vars_option', name, declared, option=name) }}{% endfor %}
{{ sqlrec.check_names(given, tables | list + declared | list) }}
{% set options = {'given': {}, 'compares': false, 'warned': [], 'parts': {}} %}
{% for name, option in declared.items() %}
{% set value = given.get(name) if given.get(name) is not none else defaults.get(name) %}
{#- Choices may be numbers, and rules may have other names for them. -#}
{% set value = value | string if option.rules and value is number and value is not boolean else value %}
{{ sqlrec.check_option(name, option, value) if value is not none }}
{% set value = option.rules.get(value, value) if option.rules else value %}
{% do options.given.update({name: value}) if value is not none and name in sqlrec.limits().rules %}
{% do options.update({name: option.default if value is none else value}) %}
{% endfor %}
{#- Jinja treats a relation as a mapping, but it is not a dict: it can only be printed. -#}
{% for name in tables %}
{% set table = given.get(name) %}
{% set more = ", or a dict by model: {'als': ref('als')}" if name == 'recs' else '' %}
{{ sqlrec.require(not (table | string).startswith('['), 'several_relations', table=name, more=more) }}
{% do options.update({name: none if table | string in ['None', 'none', '', '{}'] else table}) %}
{% endfor %}
{{ sqlrec.read_conditions(options) }}
{% set named = (options.recs | string).startswith('{') %}
{% for model, table in (options.recs.items() if named else []) %}
{{ sqlrec.require(model is string and model, 'model', model=model) }}
{{ sqlrec.require(not (table | string).startswith('['), 'several_relations', table="recs['" ~ model ~ "']", more='') }}
{% endfor %}
{{ sqlrec.require(options.by is iterable, 'by', by=options.by) }}
{% set by, own = [options.by] if options.by is string else options.by | list, given.get('columns') or {} %}
{% set once = by | select('string') | map('lower') | unique | list %}
{{ sqlrec.require(once | length == by | length, 'by_twice', by=by) }}
{% for name in by if name | lower in sqlrec.limits().taken %}{{ sqlrec.raise_error('by_already', option='by', name=name) }}{% endfor %}
{% set user_columns = (by + ([options.weights] if options.weights else [])) | unique(case_sensitive=true) | list %}
{{ sqlrec.check_columns(own, user_columns) }}
{#- A table may lack columns that the project's defaults name. -#}
{% set usual = defaults.get('columns') or {} %}
{% set columns = dict(dict(usual, **own), **({'order_by': options.order_by} if options.order_by else {})) %}
{% set models = options.recs if named else {none: options.recs} %}
{{ return(dict(options, by=by, user_columns=user_columns, usual=usual, columns=columns, models=models)) }}
{% endmacro %}

-- Replaces inputs by queries of the rows that satisfy a condition.
{% macro read_conditions(options) %}
{% set conditions = options.where or {} %}
{{ sqlrec.require(conditions is mapping, 'where', where=conditions) }}
{% for name, condition in conditions.items() %}
{{ sqlrec.check_known('where_input', name, sqlrec.tables(), table=name) }}
{{ sqlrec.require(condition is string and condition | trim, 'where_text', table=name, condition=condition) }}
{% set table, rows = options[name], {} %}
{% set named = (table | string).startswith('{') %}
{% for model, relation in (table if named else {none: table}).items() if table is not none %}
{% do rows.update({model: '(select * from ' ~ relation ~ ' where ' ~ condition ~ ') as ' ~ name}) %}
{% endfor %}
{% do options.update({name: rows if named else rows.get(none)}) %}
{% endfor %}
{% endmacro %}

{% macro check_names(given, known) %}
{% for name in given %}{{ sqlrec.check_known('option', name, known, option=name) }}{% endfor %}
{% endmacro %}

-- Checks that a value is valid for an option.
{% macro check_option(name, option, value) %}
{% set shown, number = {'option': name, 'value': value}, value is number and value is not boolean %}
{% set least, most = option.limits or [0, 0] %}
{% if option.choices and number and value not in option.choices %}
{{ sqlrec.raise_error('choice', nearest='choose from ' ~ option.choices | join(', '), **shown) }}
{% elif option.choices %}
{{ sqlrec.check_known('choice', 'true' if value is boolean else value, option.choices, **shown) }}
{% elif option.type != 'str' %}
{% set fits = number and least <= value and value <= most %}
{{ sqlrec.require(fits or option.type == 'int', 'number', most=most, **shown) }}
{{ sqlrec.require(fits and value is integer or option.type == 'float', 'whole', least=least, most=most, **shown) }}
{% endif %}
{% endmacro %}

{% macro check_columns(columns, by) %}
{{ sqlrec.require(columns is mapping, 'columns', columns=columns) }}
{% for key, column in columns.items() %}
{% set table, name = key[:[key.rfind('.'), 0] | max], key[key.rfind('.') + 1:] %}
{% set parts, limits = sqlrec.parts_of(column), sqlrec.limits() %}
{{ sqlrec.check_known('columns_input', table, sqlrec.tables(), key=key, table=table) if table }}
{{ sqlrec.check_known('columns_unknown', name, limits['columns'] + by, key=key, column=name) }}
{% set texts = parts | select('string') | select | list %}
{{ sqlrec.require(parts and texts | length == parts | length, 'columns_text', key=key, column=column) }}
{% set once = name in limits.of_several and parts | unique | list | length == parts | length %}
{{ sqlrec.require(parts | length == 1 or once, 'columns_several', key=key, column=column) }}
{% endfor %}
{% endmacro %}

-- The caller's columns that form one of sqlrec's columns.
{% macro parts_of(column) %}
{{ return(column | list if column is iterable and column is not string and column is not mapping else [column]) }}
{% endmacro %}
