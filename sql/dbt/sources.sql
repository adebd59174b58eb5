-- Reads and checks the inputs of a call, like sqlrec/plan/sources.py and sqlrec/inputs in Python.

-- A list of tables for each input, empty if the input is not needed; recs can have a table for each
-- model.
{% macro read_sources(needed, options) %}
{% set sources, used = {}, options.usual | list %}
{% for table in sqlrec.tables() %}
{% set read, models = [], options.models if table == 'recs' else {none: options[table]} %}
{% for model, relation in models.items() if table in needed.columns %}
{% do read.append(sqlrec.read_source(table, model, relation, needed.columns[table], options, used)) %}
{% endfor %}
{% do sources.update({table: read}) %}
{% endfor %}
{% set ids = {} %}
{% for read in sources.values() %}
{% for source in read %}{{ sqlrec.check_ids(source, ids, options.seen) }}{% endfor %}
{% endfor %}
{#- Lists of all models have the same columns. -#}
{% set first = [] %}
{% for read in sources.values() %}{% do first.extend(read[:1]) %}{% endfor %}
{% for key, column in options.columns.items() %}
{% set option = key if key == 'order_by' else "columns['" ~ key ~ "']" %}
{{ sqlrec.require(key in used, 'columns_unused', option=option, column=column, tables=sqlrec.with_columns(first)) }}
{% endfor %}
{% set has = sources.truth[0].kinds | join(', ') if sources.truth %}
{{ sqlrec.require(
    'relevance_threshold' not in options.given or not sources.truth or sqlrec.is_graded(sources), 'threshold',
    threshold=options.relevance_threshold, has=': it has ' ~ has if has else ''
) }}
{{ return(sources) }}
{% endmacro %}

-- The names of tables with their columns, for messages.
{% macro with_columns(sources) %}
{% set texts = [] %}
{% for source in sources %}{% do texts.append(source.name ~ ' has ' ~ source.kinds | join(', ')) %}{% endfor %}
{{ return(texts | join('; ')) }}
{% endmacro %}

-- One table: its columns, the columns for sqlrec's names, and its entry in the plan.
{% macro read_source(table, model, relation, requested, options, used) %}
{% set known, kinds = sqlrec.tables()[table], sqlrec.relation_columns(relation) %}
{% set name = table ~ ("['" ~ model ~ "']" if model is not none) %}
{% set source = {'name': name, 'table_name': table, 'kinds': kinds, 'made': [], 'texts': []} %}
{% set graded = 'relevance' in options.columns or 'truth.relevance' in options.columns %}
{{ sqlrec.require(table != 'truth' or graded or not sqlrec.is_ephemeral(relation), 'ephemeral', table=name) }}
{% set possible = known.sometimes + (options.user_columns if table in ['truth', 'users'] else []) %}
{% set possible = possible | reject('equalto', 'model' if model is not none) | list %}
{% set found = sqlrec.find_columns(source, known.always + requested | sort, possible, options, used) %}
{% if execute and relation is string and '(' not in relation %}
{% do exceptions.warn(sqlrec.message_text('relation_text', {'table': name, 'relation': relation})) %}
{% endif %}
{#- Indented, so that no line starts with the bracket that ends a named query. -#}
{% set relation = relation | replace('\n', '\n    ') if relation is string else relation %}
{% set made = '(select *' ~ source.made | join ~ ' from ' ~ relation ~ ') as ' ~ table ~ '_rows' %}
{% do source.update({'found': found, 'table': sqlrec.table(made if source.made else relation, model, found, kinds)}) %}
{% for column in ['score', 'relevance'] if column in found and kinds.get(found[column]) == 'VARCHAR' %}
{{ sqlrec.raise_error('not_a_number', table=name, column=column, kind='VARCHAR') }}
{% endfor %}
{{ sqlrec.check_unread(source, options) if kinds and table in sqlrec.limits().looks_like }}
{{ return(source) }}
{% endmacro %}

-- True if a relation is an ephemeral model, which has no visible columns, except the rows of a unit test.
{% macro is_ephemeral(relation) %}
{% set of_test = model is defined and model.resource_type == 'unit_test' %}
{{ return(execute and '__dbt__cte__' in relation | string and not of_test) }}
{% endmacro %}

-- Checks an input for missing columns: the order of lists, models for a comparison, and segments.
{% macro check_assumed_columns(table, options) %}
{% set named, names = options.columns, [] %}
{% if table in ['recs', 'baseline'] %}
{% set ranked, scored = 'rank' in named or table ~ '.rank' in named, 'score' in named or table ~ '.score' in named %}
{% do names.append(options.order or ('rank' if ranked and not scored else 'score')) %}
{% do names.append('model') if options.compares and table == 'recs' and none in options.models %}
{% elif table == ('truth' if options.users is none else 'users') %}
{% for name in options.user_columns if 'truth.' ~ name not in named %}{% do names.append(name) %}{% endfor %}
{% endif %}
{{ return(names) }}
{% endmacro %}

-- The table's columns for sqlrec's names, required and optional. If the table cannot be read, it is
-- assumed to have the required columns and the columns that `columns` names.
{% macro find_columns(source, needed, possible, options, used) %}
{% set kinds, found, names_by_column = source.kinds, {}, {} %}
{% set segments = options.user_columns | reject('in', sqlrec.limits()['columns']) | list %}
{% for name in needed + possible %}
{% for key in [source.table_name ~ '.' ~ name, name] if key in options.columns %}
{% set input_column = sqlrec.find_column(key, name, source, options, used) if name not in found else none %}
{% do found.update({name: input_column}) if input_column %}
{% endfor %}
{% endfor %}
{#- A column that is mapped to another name is not used for its own name. -#}
{% set named = [] %}
{% for name, input_column in found.items() if name not in segments %}{% do named.append(input_column) %}{% endfor %}
{% for name in needed + (possible if kinds else sqlrec.check_assumed_columns(source.table_name, options)) if name not in found %}
{% set input_column = sqlrec.column_spelling(name, source) %}
{% if input_column and (input_column not in named or name in segments or not kinds) %}
{% do found.update({name: input_column}) %}
{% elif name in needed %}
{% set shown = {'names': "column '" ~ name ~ "'", 'keys': "'" ~ source.table_name ~ '.' ~ name ~ "': ..."} %}
{{ sqlrec.raise_error('column_lacks', table=source.name, columns=kinds | join(', '), **shown) }}
{% endif %}
{% endfor %}
{% for name, input_column in found.items() if name not in segments %}
{% set first = names_by_column.setdefault(input_column, name) %}
{{ sqlrec.require(first == name, 'column_means', table=source.table_name, column=input_column, first=first, second=name) }}
{% endfor %}
{#- If logs has no users, each slate counts as a user, for standard errors. -#}
{% do found.setdefault('user_id', found.slate_id) if 'slate_id' in found %}
{{ return(found) }}
{% endmacro %}

-- The caller's column for a name of sqlrec, from `columns`; none if the table lacks it. A composite
-- column, or a field of a column, gets a separate name.
{% macro find_column(key, name, source, options, used) %}
{% set written, added, parts = options.columns[key], 'sqlrec_' ~ name, [] %}
{% for part in sqlrec.parts_of(written) %}{% do parts.append(sqlrec.column_or_field(part, source)) %}{% endfor %}
{% set composite, missing = parts | length > 1, parts | select('none') | list | length %}
{{ sqlrec.require(
    not missing or '.' not in key and missing == parts | length, 'columns_lacks',
    key=key, column=written, table=source.table_name, columns=source.kinds | join(', ')
) }}
{% if missing %}{{ return(none) }}{% endif %}
{% do used.append(key) %}
{% if not composite and parts[0] | length == 1 %}{{ return(parts[0][0]) }}{% endif %}
{% for part in parts if composite %}{{ sqlrec.check_part(source, name, loop.index, part[0], options) if part | length == 1 }}{% endfor %}
{% do source.texts.append(added) if composite %}
{% do source.made.append(', ' ~ sqlrec.key_of(parts, source.kinds) ~ ' as ' ~ sqlrec.identifier(added, source.kinds)) %}
{{ return(added) }}
{% endmacro %}

-- A column with this name, or the column and the fields of a name with dots, as a list of names.
-- None if the table has neither.
{% macro column_or_field(name, source) %}
{% set whole, names = sqlrec.column_spelling(name, source), name.split('.') %}
{% if names | length == 1 or source.kinds and whole %}{{ return([whole] if whole else none) }}{% endif %}
{% set column = sqlrec.column_spelling(names[0], source) if names | select | list | length == names | length else none %}
{{ return([column] + names[1:] if column else none) }}
{% endmacro %}

-- The table's spelling of a column, which may differ in case; none if the table lacks the column.
-- If the table cannot be read, the name is unchanged.
{% macro column_spelling(name, source) %}
{% if not source.kinds or name in source.kinds %}{{ return(name) }}{% endif %}
{% set alike = [] %}
{% for other in source.kinds if other | lower == name | lower %}{% do alike.append(other) %}{% endfor %}
{% set shown = {'count': alike | length, 'columns': alike | join(', ')} %}
{{ sqlrec.require(alike | length < 2, 'column_case', table=source.name, name=name, **shown) }}
{{ return(alike[0] if alike else none) }}
{% endmacro %}

-- One text from several columns, which is null if one of the columns is null; or a single column.
-- Each column is a list of its name and the names of its fields.
{% macro key_of(parts, stored) %}
{% set known, texts = sqlrec.spelling_here(), [] %}
{% for part in parts %}
{% set column, fields = sqlrec.identifier(part[0], stored), [] %}
{% for name in part[1:] %}{% do fields.append(sqlrec.identifier(name, true)) %}{% endfor %}
{% set column = known.field[0] ~ column ~ known.field[1] ~ fields | join('.') if fields else column %}
{% if parts | length == 1 %}{{ return(column) }}{% endif %}
{% do texts.append('replace(' ~ known.text | replace('{}', column) ~ ", '|', '||')") %}
{% endfor %}
{{ return(texts | join(' ' ~ known.concat ~ " ' | ' " ~ known.concat ~ ' ')) }}
{% endmacro %}

-- Like `key_of`, for names in `columns`.
{% macro key(names) %}{{ return(sqlrec.key_of(sqlrec.parts_of(names) | batch(1) | list, false)) }}{% endmacro %}

-- Checks that a part of a key is a single value, with the same text in all inputs.
{% macro check_part(source, name, number, column, options) %}
{% set kind = source.kinds.get(column) or '' %}
{{ sqlrec.require(kind != 'DOUBLE', 'key_part', table=source.name, column=column, kind=kind, key=name) }}
{% set first = options.parts.setdefault(name ~ ' ' ~ number, [kind, source.name]) if kind else [kind] %}
{{ sqlrec.require(
    first[0] == kind or 'VARCHAR' in [first[0], kind], 'key_parts',
    column=column, kind=kind, table=source.name, other=first[0], first=first[-1], key=name
) }}
{% endmacro %}

-- If types are known, checks that ids can be compared without loss with ids of earlier inputs,
-- which are in `ids`. With seen='self', users are compared with items.
{% macro check_ids(source, ids, seen) %}
{% for name, same in sqlrec.limits().ids.items() if name in source.found %}
{% set column = source.found[name] %}
{% set same = 'user_id' if seen == 'self' and same == 'item_id' else same %}
{% set kind = 'VARCHAR' if column in source.texts else source.kinds.get(column) or '' %}
{{ sqlrec.require(kind != 'DOUBLE', 'id_floating', table=source.name, column=name, kind=kind) }}
{% set own = [kind, name, source.name] %}
{% set first = ids.setdefault(same, own) if kind else own %}
{{ sqlrec.require(
    first[0] == kind, 'ids', column=first[1], kind=first[0], table=first[2], other=kind,
    here=source.name ~ ('' if name == first[1] else '.' ~ name)
) }}
{% endfor %}
{% endmacro %}

-- Raises an error for several models in a single list; warns about unread columns that could be
-- grades or models.
{% macro check_unread(source, options) %}
{% set table, found, names = source.table_name, source.found, sqlrec.limits().looks_like %}
{% set model = options.columns.get(table ~ '.model', options.columns.get('model', 'model')) | lower %}
{% for column, kind in source.kinds.items() if column not in found.values() and modules.re.fullmatch(names[table], column | lower) %}
{% if table != 'truth' and 'model' not in found %}
{% set quoted = sqlrec.identifier(column, true) %}
{% set values = run_query('select min(' ~ quoted ~ '), max(' ~ quoted ~ ') from ' ~ source.table.relation).rows[0] %}
{% set several = values[0] != values[1] %}
{% set shown = {'table': source.name, 'column': column, 'values': 'several values, as ' ~ values | join(' and ')} %}
{{ sqlrec.require(not several or column | lower != model, 'several_values', **shown) }}
{% do exceptions.warn(sqlrec.message_text('unread_models', shown)) if several and table == 'recs' %}
{% endif %}
{% endfor %}
{% if table == 'truth' and 'relevance' not in found %}{{ sqlrec.check_unread_grades(source, options) }}{% endif %}
{% endmacro %}

-- Warns about columns of truth that could be the grade: numbers with the name of a grade, and zeros
-- and ones under any name. A column with only ones has no effect, so it is ignored.
{% macro check_unread_grades(source, options) %}
{% set limits, read, columns, named, sums, flags = sqlrec.limits(), [], [], [], [], [] %}
{% for input_column in source.found.values() %}{% do read.append(input_column | lower) %}{% endfor %}
{% for key, written in options.columns.items() if key in ['user_id', 'item_id', 'truth.user_id', 'truth.item_id'] %}
{% for part in sqlrec.parts_of(written) %}{% do read.append(part | lower) %}{% endfor %}
{% endfor %}
{% set numbers = ['BIGINT', 'DOUBLE', 'DECIMAL', 'BOOLEAN'] %}
{% for column, kind in source.kinds.items() if column | lower not in read and kind in numbers + ['VARCHAR', none] %}
{% do columns.append(column) %}
{% do named.append(column) if modules.re.fullmatch(limits.looks_like.truth, column | lower) %}
{% endfor %}
{% set columns = named if columns | length > limits.most_looked_at else columns %}
{% for column in columns %}{% do sums.append(sqlrec.counts_of_flags(column, source.kinds[column], numbers)) %}{% endfor %}
{% if not sums %}{{ return('') }}{% endif %}
{% set counts = run_query('select ' ~ sums | join(', ') ~ ' from ' ~ source.table.relation).rows[0] | list %}
{% for column in columns %}
{% set ones, zeros, filled, rows, least, most = counts[6 * loop.index0:6 * loop.index0 + 6] %}
{% set number = '[+-]?[0-9]+([.][0-9]*)?' %}
{% if not filled or ones == rows %}
{% elif column in named and modules.re.fullmatch(number, least | string) and modules.re.fullmatch(number, most | string) %}
{% do exceptions.warn(sqlrec.message_text('unread_grades', {'table': 'truth', 'column': column})) %}
{% elif ones + zeros == filled %}
{% do flags.append(column) %}
{% endif %}
{% endfor %}
{% set shown = flags[:limits.most_named] | join(', ') ~ (', ...' if flags | length > limits.most_named else '') %}
{% if flags | length == 1 %}
{% do exceptions.warn(sqlrec.message_text('unread_grades', {'table': 'truth', 'column': flags[0]})) %}
{% elif flags %}
{% do exceptions.warn(sqlrec.message_text('unread_flags', {'table': 'truth', 'column': flags[0], 'columns': shown})) %}
{% endif %}
{% endmacro %}

-- Statistics of a column: the numbers of rows with 1, with 0, that are not null, and of all rows;
-- and the first and last text, which is '0' for numbers.
{% macro counts_of_flags(column, kind, numbers) %}
{% set name = sqlrec.identifier(column, true) %}
{% set written = name if kind == 'VARCHAR' else sqlrec.spelling_here().text | replace('{}', name) %}
{% set one, zero, ends = name ~ ' = 1', name ~ ' = 0', "'0'" %}
{% if kind == 'BOOLEAN' %}
{% set one, zero = name, 'not ' ~ name %}
{% elif kind not in numbers %}
{% set one = 'lower(' ~ written ~ ") in ('1', '1.0', 'true')" %}
{% set zero = 'lower(' ~ written ~ ") in ('0', '0.0', 'false')" %}
{% set ends = written %}
{% endif %}
{{ return(
    'sum(case when ' ~ one ~ ' then 1 else 0 end), sum(case when ' ~ zero ~ ' then 1 else 0 end), count(' ~ name ~ '), '
    ~ 'count(*), min(' ~ ends ~ '), max(' ~ ends ~ ')'
) }}
{% endmacro %}

-- The columns of a relation, each with DuckDB's name of its type, or none if the type is unknown.
-- The result is empty if the relation cannot be read: while dbt parses; for a table that does not
-- exist yet; for an ephemeral model, which is part of the statement; for a query while dbt only
-- compiles; and for all relations in dbt 2, which compiles without a warehouse.
{% macro relation_columns(relation) %}
{% set kinds = {} %}
{% set compiles = flags.WHICH not in ['run', 'build', 'test', 'show', 'snapshot', 'run-operation'] %}
{% if not execute or '__dbt__cte__' in relation | string or compiles and (relation is string or dbt_version[0] != '1') %}
{{ return(kinds) }}
{% elif relation is string or relation.external %}
{% for name in dbt.get_columns_in_query('select * from ' ~ relation) %}{% do kinds.update({name: none}) %}{% endfor %}
{{ return(kinds) }}
{% endif %}
{% set existing = load_relation(relation) %}
{% for column in (adapter.get_columns_in_relation(existing) if existing else []) %}
{% do kinds.update({column.name: none}) %}
{% for form, kind in sqlrec.limits().kinds.items() if modules.re.fullmatch(form, column.dtype | lower) %}
{% do kinds.update({column.name: kind}) %}
{% endfor %}
{% endfor %}
{{ return(kinds) }}
{% endmacro %}

-- The entry of a table in the plan: for each possible column the expression, or none.
{% macro table(relation, model, found, kinds) %}
{% set blank = sqlrec.blank().table %}
{% set columns, names, floating = dict(blank['columns']), {}, dict(blank.floating) %}
{% for name, input_column in found.items() if name in columns %}
{% set column, yes_or_no = sqlrec.identifier(input_column, kinds), kinds.get(input_column) == 'BOOLEAN' %}
{% set as_number = yes_or_no and name in ['relevance', 'reward'] %}
{% do columns.update({name: 'case when ' ~ column ~ ' then 1 when not ' ~ column ~ ' then 0 end' if as_number else column}) %}
{% do names.update({name: column}) %}
{% do floating.update({name: not yes_or_no}) if name in floating %}
{% endfor %}
{% do columns.update({'model': sqlrec.text(model)}) if model is not none %}
{{ return(dict(blank, relation=relation, columns=columns, names=names, floating=floating, model=model)) }}
{% endmacro %}
