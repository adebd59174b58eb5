-- What is behind the macros that people call, which are in calls.sql. Options, defaults and meanings are
-- those of sqlrec.evaluate in Python, and so is the statement:
--
--   sqlrec.evaluate('ndcg@10 map@5', ref('recs'), ref('truth'), by='country')
--
-- What may be asked stands in catalogue.sql. The macros below that return something else than text run
-- in dbt alone; Python has them in sqlrec/plan/build.py.

-- The plan: a dict of what sqlrec/plan/plan.py lists.
{% macro plan(metrics, given) %}{{ return(sqlrec.planned(metrics, sqlrec.read_options(given))) }}{% endmacro %}

-- The same of options that were read.
{% macro planned(metrics, options) %}
{% set limits = sqlrec.limits() %}
{% set asked = sqlrec.parse_metrics(metrics, options.convention) %}
{% set needed = sqlrec.needed(asked, options) %}
{% set sources = sqlrec.read_sources(needed, options) %}
{% set recs, segments, parts, plans = [], [], {}, [] %}
{% for source in sources.recs %}{% do recs.append(source.table) %}{% endfor %}
{% for name in options.by %}{% do segments.append(sqlrec.segment(name, loop.index, sources)) %}{% endfor %}
{% set several = recs and (options.named_models or 'model' in sources.recs[0].found) %}
{{ sqlrec.check_logs(asked, sources.logs[0].found, needed.target, several) if sources.logs }}
{% set cutoffs = asked | map(attribute='place') | unique | sort | list %}
{% set numbers = cutoffs | reject('equalto', limits.whole_list) | list %}
{% set depths = asked | selectattr('reads.recs', 'defined') | map(attribute='place') | list %}
{% set settings = [] %}
{% for one in asked %}{% set _ = settings.extend(one.settings.values() | list) %}{% endfor %}
{% set exponential = 'exponential' in settings %}
{% set common = dict(
    sqlrec.blank().plan,
    audit=options.form != 'plain',
    errors=options.interval is not none,
    weighed=asked | selectattr('metric.weighed') | list | length > 0,
    list_keys=['model', 'user_id'] if several else ['user_id'],
    by=segments,
    scored='score' in needed.columns.get('recs', []),
    cutoffs=cutoffs,
    k=cutoffs[0] if cutoffs | length == 1 else none,
    largest_k=numbers[-1] if numbers else none,
    depth=none if not depths or limits.whole_list in depths else depths | max,
    ends=options.depth,
    graded=sqlrec.is_graded(sources),
    largest_relevance=limits.largest_exponent if exponential else limits.largest_relevance
) %}
{% for one in asked %}
{% set rules = sqlrec.rules_of(one, options, sources) %}
{% do parts.setdefault(rules | string, {'rules': rules, 'asked': []}).asked.append(one) %}
{% endfor %}
{% for part in parts.values() %}
{% do plans.append(sqlrec.plan_under(common, part.asked, part.rules, options, sources)) %}
{% endfor %}
{% if plans | length == 1 %}{{ return(plans[0]) }}{% endif %}
{% set whole = dict(limits.rules, row_order=none) %}
{{ return(sqlrec.together(sqlrec.plan_under(common, asked, whole, options, sources), plans)) }}
{% endmacro %}

-- The plan of what is asked under one set of rules.
{% macro plan_under(common, asked, rules, options, sources) %}
{% set needed = sqlrec.needed(asked, options) %}
{% set lists, baseline = sqlrec.ordered(sources.recs, rules), sqlrec.ordered(sources.baseline, rules) %}
{#- Given ranks leave no ties. -#}
{% set without_ties = lists.order == 'rank' and rules.ties in sqlrec.limits().by_relevance %}
{% set rules = dict(rules, ties=sqlrec.limits().rules.ties) if without_ties else rules %}
{% set of_row = ['first', 'last'] %}
{% set by_rows = rules.duplicates in of_row or rules.ties == 'first' %}
{% set by_rows = {'recs': by_rows, 'baseline': by_rows, 'truth': rules.truth_duplicates in of_row} %}
{% set more = {
    'items': {'needed': needed.columns.get('items', []) | sort},
    'truth': {'needed': needed.columns.get('truth', []) | sort},
    'logs': {'target': needed.target},
    'baseline': dict(baseline, scored='score' in needed.columns.get('baseline', [])),
} %}
{% set title = asked | map(attribute='spelled') | join(', ') %}
{% set plan = dict(dict(common, **rules), title=title, kinds=sqlrec.kinds(asked, rules)) %}
{% for name, those in sources.items() %}
{% set tables = [] %}
{#- What orders rows is left out where no rule goes by it. -#}
{% for source in those if name in needed.columns %}
{% set table = dict(source.table, **more.get(name, {})) %}
{% set unordered = dict(table['columns'], order_by=none) %}
{% do tables.append(table if by_rows.get(name) else dict(table, columns=unordered)) %}
{% endfor %}
{% do plan.update({name: tables if name == 'recs' else tables[0] if tables else none}) %}
{% endfor %}
{{ return(dict(plan, **lists)) }}
{% endmacro %}

-- Rules brought together: those given count most, then the convention's, then the defaults. What orders
-- lists in a convention is what it prefers, where lists have both.
{% macro rules_of(one, options, sources) %}
{% set limits, given = sqlrec.limits(), options.given %}
{% set rules = dict(dict(limits.rules, **one.rules), **given) %}
{% if rules.relevance_threshold == '-inf' %}
{% do rules.update({'relevance_threshold': rules.relevance_threshold | float}) %}
{% endif %}
{% for source in sources.recs + sources.baseline if rules.order not in source.found and 'order' not in given %}
{% do rules.update({'order': none}) %}
{% endfor %}
{% if 'duplicates' in given %}{% do rules.update({'truth_duplicates': given.duplicates}) %}{% endif %}
{% set row_order = sqlrec.by_rows(rules, options, sources) %}
{% if rules.ties in limits.by_relevance %}
{{ sqlrec.check_ties(one, rules) if 'recs' in one.reads }}
{% for name, odd, instead in limits.with_relevance if rules[name] == odd %}
{% do rules.update({name: instead}) %}
{% endfor %}
{% endif %}
{% set own = 'best' if rules.duplicates == 'best' else 'error' %}
{{ return(dict(rules, row_order=row_order, truth_duplicates=rules.truth_duplicates or own)) }}
{% endmacro %}

-- The order of rows, none where no rule goes by it. Other rules stand in for those that do where there is none.
{% macro by_rows(rules, options, sources) %}
{% set orders = [] %}
{% for name, of_rows, instead in sqlrec.limits().without_rows if rules[name] == of_rows %}
{% set of_truth = name == 'truth_duplicates' %}
{% set tables = sources.truth if of_truth else sources.recs + sources.baseline %}
{#- All rows of a truth without grades are alike. -#}
{% set counts = tables and (not of_truth or sqlrec.is_graded(sources)) %}
{% set named = tables | selectattr('found.order_by', 'defined') | map(attribute='found.order_by') | list %}
{% set standing = 'rows' if adapter.type() == 'duckdb' else none %}
{% set order = named[0] if tables and named | length == tables | length else standing %}
{% set option = 'duplicates' if of_truth else name %}
{% if order is none %}
{% set shown = {'option': option, 'rule': of_rows, 'instead': instead, 'dialect': adapter.type()} %}
{{ sqlrec.require(option not in options.given, 'no_row_order', table=tables[0].name, **shown) if counts }}
{% do rules.update({name: instead}) %}
{% set odd = sqlrec.told('other_rule', dict(shown, option=name)) %}
{% set warning = sqlrec.told('other_rules', dict(shown, odd=odd)) %}
{% do exceptions.warn(warning) if counts and warning not in options.warned %}
{% do options.warned.append(warning) if counts %}
{% endif %}
{% do orders.append(order or 'none') if counts %}
{% endfor %}
{{ return(orders | unique | join(', ') or none) }}
{% endmacro %}

-- Whether the truth has grades: yes and no are none.
{% macro is_graded(sources) %}{{ return(sources.truth != [] and sources.truth[0].table.floating.relevance) }}{% endmacro %}

-- A metric of lists can go by the truth where scores are equal.
{% macro check_ties(one, rules) %}
{% set shown, known = {'ties': rules.ties, 'metric': one.metric.name}, sqlrec.limits().expected %}
{{ sqlrec.require('truth' in one.reads, 'ties_without_truth', **shown) }}
{{ sqlrec.require(rules.unlisted == 'absent', 'ties_below', **shown) }}
{% if rules.ties == 'expected' %}
{{ sqlrec.require(one.metric.name in known, 'ties_expected', known=known | join(', '), **shown) }}
{% for key, values in one.metric.unexpected.items() if one.settings[key] in values %}
{{ sqlrec.refuse('ties_param', param=key, value=one.settings[key], **shown) }}
{% endfor %}
{% endif %}
{% endmacro %}

-- The plans of several sets of rules as one, in which lists are ranked once for those alike.
{% macro together(plan, parts) %}
{% set limits, alike = sqlrec.limits(), {} %}
{% for part in parts %}
{% set words, ranked = [], [] %}
{% for name in limits.rules if part[name] is not none %}{% do words.append(name ~ ' ' ~ part[name]) %}{% endfor %}
{% for name in limits.ranking %}{% do ranked.append(part[name]) %}{% endfor %}
{% do part.update({'name': 'part_' ~ loop.index, 'words': words | join(', ')}) %}
{#- Where the truth has its say in the order, it is read as the part's own rules have it. -#}
{% if part.recs and part.ties not in ['best', 'worst'] %}
{% set first = dict(part, lists='lists_' ~ (alike | length + 1)) %}
{% do part.update({'lists': alike.setdefault(ranked | string, first).lists}) %}
{% endif %}
{% endfor %}
{{ return(dict(plan, parts=parts, part_lists=alike.values() | list)) }}
{% endmacro %}

-- The inputs that are read, each with the columns that metrics ask for; and what tells the policy that logged
-- decisions are compared with: lists, or a column.
{% macro needed(asked, options) %}
{% set tables, wanted, needed = sqlrec.tables(), {}, {} %}
{% set policy = namespace(target=none) %}
{% for one in asked %}
{% if 'logs' in one.reads and 'recs' in one.reads %}
{% set policy.target = 'target_probability' if options.recs is none else 'recs' %}
{% endif %}
{#- Lists may be those of users of the truth alone. -#}
{% set of_truth = 'recs' in one.reads and one.rules.get('listed') == 'truth' %}
{% set more = {'truth': {'columns': one.reads.get('truth', {'columns': []}).columns, 'required': true}} %}
{% for table, need in dict(one.reads, **(more if of_truth else {})).items() %}
{{ sqlrec.require(
    not need.required or options[table] is not none, 'missing', table=table, metric=one.label,
    columns=(tables[table].always + need.columns) | join(', '), fix="a relation, as in ref('" ~ table ~ "')"
) }}
{% do wanted.update({table: wanted.get(table, []) + need.columns}) if options[table] is not none %}
{% endfor %}
{% endfor %}
{% if 'logs' in wanted %}
{% set more = {'recs': ['user_id', 'item_id'], 'target_probability': ['target_probability']} %}
{% set of_segments = ['user_id'] if options.by else [] %}
{% do wanted.update({'logs': wanted.logs + more.get(policy.target, []) + of_segments}) %}
{% endif %}
{% do wanted.setdefault('users', []) if options.users is not none %}
{% do wanted.setdefault('truth', []) if options.by and options.truth is not none %}
{% for table in tables if table in wanted %}{% do needed.update({table: wanted[table] | unique | list}) %}{% endfor %}
{{ return({'columns': needed, 'target': policy.target}) }}
{% endmacro %}

{% macro check_logs(asked, found, target, several) %}
{{ sqlrec.require(target != 'recs' or 'target_probability' not in found, 'two_targets') }}
{% for one in asked if 'logs' in one.reads %}
{% set of_lists = target != 'target_probability' or one.place == sqlrec.limits().whole_list %}
{{ sqlrec.require(of_lists, 'cutoff_of_logs', metric=one.spelled, label=one.label) }}
{% set of_one = not several or 'expected_reward' not in one.reads.logs.columns %}
{{ sqlrec.require(of_one, 'one_policy', metric=one.label) }}
{% endfor %}
{% endmacro %}

-- What orders the lists, and whether the other has to agree.
{% macro ordered(sources, rules) %}
{% if not sources %}{{ return({'order': 'score', 'check_order': false}) }}{% endif %}
{% set usable, names = [], [rules.order] if rules.order else ['rank', 'score'] %}
{% for name in names if not sources | rejectattr('found.' ~ name, 'defined') | list %}
{% do usable.append(name) %}
{% endfor %}
{% for source in sources if not usable and not names | select('in', source.found) | list %}
{% set written = "'" ~ names | reverse | join("' or '") ~ "'" %}
{{ sqlrec.refuse(
    'column_lacks', table=source.name, names=written, columns=source.kinds | join(', '), key=names[-1]
) }}
{% endfor %}
{% set ranked = sources | selectattr('found.rank', 'defined') | map(attribute='name') | list %}
{% set scored = sources | selectattr('found.score', 'defined') | map(attribute='name') | list %}
{{ sqlrec.require(usable, 'ranks_and_scores', ranked=ranked | join(', '), scored=scored | join(', ')) }}
{{ return({'order': usable[0], 'check_order': usable | length == 2}) }}
{% endmacro %}

-- Metrics over one kind of rows brought together, and cutoffs of one metric.
{% macro kinds(asked, rules) %}
{% set limits, kinds, metrics, columns = sqlrec.limits(), {}, {}, [] %}
{% for one in asked %}
{% set metric = one.metric %}
{% set expected = rules.ties == 'expected' and metric.name in limits.expected %}
{% set rows = 'expected' if expected else metric.rows %}
{% set blank = dict(sqlrec.blank().kind, name=rows, of_users=rows not in limits.whole_kinds) %}
{% set kind = kinds.setdefault(rows, blank) %}
{% if one.label not in metrics %}
{% set column = modules.re.sub('[^0-9A-Za-z]+', '_', one.label).strip('_') %}
{% set taken = column | lower in columns or column in sqlrec.spelling_here().reserved %}
{% if taken or column | length > limits.longest_column %}
{% set column = metric.name ~ '_' ~ (columns | length + 1) %}
{% endif %}
{% do columns.append(column | lower) %}
{% do metrics.update({one.label: dict(
    metric.planned, label=one.label, column=column, macro=rows ~ '__' ~ metric.name, params=one.params,
    cutoffs=[], texts=[]
)}) %}
{% do kind.metrics.append(metrics[one.label]) %}
{% endif %}
{% do metrics[one.label].cutoffs.append(one.place) %}
{% do metrics[one.label].texts.append(one.text) %}
{% do kind.update({
    'cutoffs': (kind.cutoffs + [one.place]) | unique | list,
    'truth': kind.truth or 'truth' in one.reads,
    'weighed': kind.weighed or metric.weighed,
}) %}
{% endfor %}
{{ return(kinds.values() | list) }}
{% endmacro %}

-- The plan of a comparison: it names the baseline, which has to be one of several models.
{% macro paired_plan(plan, baseline) %}
{% set models = plan.recs | map(attribute='model') | list %}
{% set named = models | reject('none') | list %}
{{ sqlrec.require(baseline is not none and baseline | string, 'baseline_missing') }}
{{ sqlrec.require('model' in plan.list_keys and named | length != 1, 'one_model') }}
{{ sqlrec.check_known('not_a_model', baseline, named, baseline=baseline) if named }}
{{ sqlrec.refuse_taken(plan.by | map(attribute='asked'), sqlrec.limits().compared) }}
{% set of_sums = sqlrec.of_sums(plan) | map(attribute='label') | list %}
{% for kind in plan.kinds %}
{% for metric in kind.metrics %}
{% set of_means = metric.label in of_sums or sqlrec.which_mean(metric) == 'plain' %}
{{ sqlrec.require(kind.of_users and of_means, 'not_of_sums', metric=metric.label) }}
{% endfor %}
{% endfor %}
{% for part in [plan] + plan.parts %}{% do part.update({'terms': of_sums | length > 0}) %}{% endfor %}
{{ return(dict(plan, baseline_model=sqlrec.text(baseline | string))) }}
{% endmacro %}

-- All options, checked: what is not given has the default that `vars` of the project have under the name
-- sqlrec, or else ours. The rules that are given stand in `given`.
{% macro read_options(given) %}
{% set declared, tables, defaults = sqlrec.options(), sqlrec.tables(), var('sqlrec', {}) %}
{% for name in defaults %}
{{ sqlrec.check_known('vars_option', name, declared, option=name) }}
{% endfor %}
{{ sqlrec.check_names(given, tables | list + declared | list) }}
{% set options = {'given': {}, 'compares': false, 'warned': [], 'parts': {}} %}
{% for name, option in declared.items() %}
{% set value = given.get(name) if given.get(name) is not none else defaults.get(name) %}
{{ sqlrec.check_option(name, option, value) if value is not none }}
{% do options.given.update({name: value}) if value is not none and name in sqlrec.limits().rules %}
{% do options.update({name: option.default if value is none else value}) %}
{% endfor %}
{#- A relation is a mapping to Jinja, but no dict: it is printed and nothing else. -#}
{% for name in tables %}
{% set table = given.get(name) %}
{% do options.update({name: none if table | string in ['None', 'none', '', '{}'] else table}) %}
{% endfor %}
{% set named = (options.recs | string).startswith('{') %}
{% for model in (options.recs if named else []) %}
{{ sqlrec.require(model is string and model, 'model', model=model) }}
{% endfor %}
{% set by = sqlrec.read_by(options.by) %}
{{ sqlrec.check_columns(given.get('columns') or {}, by) }}
{#- Of the project's names each table has some. -#}
{% set usual = defaults.get('columns') or {} %}
{% set columns = dict(dict(usual, **(given.get('columns') or {})), **({'order_by': options.order_by} if options.order_by else {})) %}
{{ return(dict(
    options, by=by, usual=usual, columns=columns, named_models=named,
    models=options.recs if named else {none: options.recs}
)) }}
{% endmacro %}

{% macro check_names(given, known) %}
{% for name in given %}{{ sqlrec.check_known('option', name, known, option=name) }}{% endfor %}
{% endmacro %}

-- A value is one that an option may have, as sqlrec/options.py declares it.
{% macro check_option(name, option, value) %}
{% set least, most = option.limits or [none, none] %}
{% set number, shown = value is number and value is not boolean, {'option': name, 'value': value, 'most': most} %}
{% if option.choices %}
{{ sqlrec.check_known('choice', 'true' if value is boolean else value, option.choices, **shown) }}
{% elif most and option.type == 'int' %}
{{ sqlrec.require(number and value is integer and least <= value and value <= most, 'whole', least=least, **shown) }}
{% elif most %}
{{ sqlrec.require(number and -most <= value and value <= most, 'number', **shown) }}
{% endif %}
{% endmacro %}

-- The columns to evaluate by.
{% macro read_by(by) %}
{{ sqlrec.require(by is iterable, 'by', by=by) }}
{% set by = [by] if by is string else by | list %}
{% set once = by | select('string') | map('lower') | unique | list %}
{{ sqlrec.require(once | length == by | length, 'by_twice', by=by) }}
{% for name in by if name | lower in sqlrec.limits().taken %}
{{ sqlrec.refuse('by_already', option='by', name=name) }}
{% endfor %}
{{ return(by) }}
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

-- The columns that one of ours is made of.
{% macro parts_of(column) %}
{{ return(column | list if column is iterable and column is not string and column is not mapping else [column]) }}
{% endmacro %}

-- One text of several columns, null where one of them is; or the one column.
{% macro key_of(parts, stored) %}
{% set known, columns, texts = sqlrec.spelling_here(), [], [] %}
{% for part in parts %}
{% set column, fields = sqlrec.identifier(part.column, stored), [] %}
{% for name in part.fields %}{% do fields.append(sqlrec.identifier(name, true)) %}{% endfor %}
{% do columns.append(known.field[0] ~ column ~ known.field[1] ~ fields | join('.') if fields else column) %}
{% do texts.append('replace(' ~ known.text | replace('{}', columns[-1]) ~ ", '|', '||')") %}
{% endfor %}
{{ return(texts | join(' ' ~ known.concat ~ " ' | ' " ~ known.concat ~ ' ') if texts | length > 1 else columns[0]) }}
{% endmacro %}

-- The same of names as they are written.
{% macro key(names) %}
{% set parts = [] %}
{% for name in sqlrec.parts_of(names) %}{% do parts.append({'column': name, 'fields': []}) %}{% endfor %}
{{ return(sqlrec.key_of(parts, false)) }}
{% endmacro %}

-- A column as it is named, or the one that a name with points is a field of; none where there is neither.
{% macro column_or_field(name, source) %}
{% set whole, names = sqlrec.spelled_as(name, source), name.split('.') %}
{% if names | length == 1 or source.kinds and whole %}
{{ return({'column': whole, 'fields': []} if whole else none) }}
{% endif %}
{% set column = sqlrec.spelled_as(names[0], source) if names | select | list | length == names | length else none %}
{{ return({'column': column, 'fields': names[1:]} if column else none) }}
{% endmacro %}

-- A part of a key is a single value, which is written alike in all inputs.
{% macro check_part(source, name, number, column, options) %}
{% set kind = source.kinds.get(column) or '' %}
{{ sqlrec.require(kind != 'DOUBLE', 'key_part', table=source.name, column=column, kind=kind, key=name) }}
{% set first = options.parts.setdefault(name ~ ' ' ~ number, [kind, source.name]) if kind else [kind] %}
{{ sqlrec.require(
    first[0] == kind or 'VARCHAR' in [first[0], kind], 'key_parts',
    column=column, kind=kind, table=source.name, other=first[0], first=first[-1], key=name
) }}
{% endmacro %}

-- Ids of all inputs can be compared without loss, as far as their types are known.
{% macro check_ids(sources) %}
{% for names in [['slate_id'], ['user_id'], ['item_id', 'other_item_id']] %}
{% set first = [] %}
{% for tables in sources.values() %}
{% for source in tables %}
{% for name in names if name in source.found %}
{% set column = source.found[name] %}
{% set kind = 'VARCHAR' if column in source.texts else source.kinds.get(column) or '' %}
{{ sqlrec.require(kind != 'DOUBLE', 'id_floating', table=source.name, column=name, kind=kind) }}
{% do first.extend([kind, name, source.name]) if kind and not first %}
{{ sqlrec.refuse(
    'ids', column=first[1], kind=first[0], table=first[2], other=kind,
    here=source.name ~ ('' if name == first[1] else '.' ~ name)
) if kind and kind != first[0] }}
{% endfor %}
{% endfor %}
{% endfor %}
{% endfor %}
{% endmacro %}

-- The inputs, a list for each, empty where it is not needed: lists of several models are several.
{% macro read_sources(needed, options) %}
{% set sources, used, named = {}, options.usual | list, options.columns %}
{% for table, own in sqlrec.tables().items() %}
{% set asked, read, assumed = needed.columns.get(table, []), [], [] %}
{% set maybe = own.sometimes | reject('in', asked) | list %}
{% if 'rank' in own.sometimes %}
{% set ranked = 'rank' in named or table ~ '.rank' in named %}
{% set scored = 'score' in named or table ~ '.score' in named %}
{% do assumed.append(options.order or ('rank' if ranked and not scored else 'score')) %}
{#- A comparison needs models, so there are some where tables cannot be read. -#}
{% do assumed.append('model') if options.compares and table == 'recs' and not options.named_models %}
{% elif table in ['truth', 'users'] %}
{% set maybe = maybe + options.by %}
{% set of_segments = table == ('truth' if options.users is none else 'users') %}
{% for name in options.by if of_segments and 'truth.' ~ name not in named %}{% do assumed.append(name) %}{% endfor %}
{% endif %}
{% set models = options.models if table == 'recs' else {none: options[table]} %}
{% for model, relation in models.items() if table in needed.columns %}
{% set name = table ~ ("['" ~ model ~ "']" if model is not none) %}
{% set others = maybe | reject('equalto', 'model') | list if model is not none else maybe %}
{% set source = {'name': name, 'table_name': table, 'kinds': sqlrec.columns_there(relation)} %}
{% do source.update({'made': [], 'texts': []}) %}
{% set found = sqlrec.columns_found(source, own.always + asked | sort, assumed, others, options, used) %}
{% set made = '(select *' ~ source.made | join ~ ' from ' ~ relation ~ ') as ' ~ table ~ '_rows' %}
{% set relation = made if source.made else relation %}
{% do source.update({'found': found, 'table': sqlrec.table(relation, model, found, source.kinds)}) %}
{{ sqlrec.check_unread(source, options) if source.kinds }}
{% do read.append(source) %}
{% endfor %}
{% do sources.update({table: read}) %}
{% endfor %}
{{ sqlrec.check_ids(sources) }}
{% for key, column in named.items() %}
{{ sqlrec.require(key in used, 'columns_unused', option="columns['" ~ key ~ "']", column=column) }}
{% endfor %}
{% set has = sources.truth[0].kinds | join(', ') if sources.truth %}
{{ sqlrec.require(
    'relevance_threshold' not in options.given or not sources.truth or sqlrec.is_graded(sources), 'threshold',
    threshold=options.relevance_threshold, has=': it has ' ~ has if has else ''
) }}
{{ return(sources) }}
{% endmacro %}

-- The caller's columns for our names in a table: those that it needs, and others that it has. Where the table
-- cannot be read, it has those assumed, and what `columns` names.
{% macro columns_found(source, needed, assumed, maybe, options, used) %}
{% set table, kinds, columns, found, told = source.table_name, source.kinds, options.columns, {}, {} %}
{% set segments = options.by | reject('in', sqlrec.limits()['columns']) | list %}
{% for name in (needed + ([] if kinds else assumed) + maybe) | unique %}
{% for key in [table ~ '.' ~ name, name] if key in columns %}
{% set theirs = [] %}
{% for part in sqlrec.parts_of(columns[key]) %}{% do theirs.append(sqlrec.column_or_field(part, source)) %}{% endfor %}
{% set lacking = theirs | select('none') | list | length %}
{{ sqlrec.require(
    name in found or not lacking or '.' not in key and lacking == theirs | length, 'columns_lacks',
    key=key, column=columns[key], table=table, columns=kinds | join(', ')
) }}
{% if not lacking and name not in found %}
{% set several, ours = theirs | length > 1, 'sqlrec_' ~ name %}
{% set made = several or theirs[0].fields | length > 0 %}
{% for part in theirs if several and not part.fields %}
{{ sqlrec.check_part(source, name, loop.index, part.column, options) }}
{% endfor %}
{% do used.append(key) %}
{% do found.update({name: ours if made else theirs[0].column}) %}
{% do source.made.append(', ' ~ sqlrec.key_of(theirs, kinds) ~ ' as ' ~ sqlrec.identifier(ours, kinds)) if made %}
{% do source.texts.append(ours) if several %}
{% endif %}
{% endfor %}
{% endfor %}
{#- A column that is named for something else is not what it is called. -#}
{% set named = [] %}
{% for name, theirs in found.items() if name not in segments %}{% do named.append(theirs) %}{% endfor %}
{% for name in (needed + (maybe if kinds else assumed)) | unique if name not in found %}
{% set theirs = sqlrec.spelled_as(name, source) %}
{% if theirs and (theirs not in named or name in segments or not kinds) %}
{% do found.update({name: theirs}) %}
{% elif name in needed %}
{% set shown = {'names': "'" ~ name ~ "'", 'key': table ~ '.' ~ name} %}
{{ sqlrec.refuse('column_lacks', table=source.name, columns=kinds | join(', '), **shown) }}
{% endif %}
{% endfor %}
{% for name, theirs in found.items() if name not in segments %}
{% set first = told.setdefault(theirs, name) %}
{{ sqlrec.require(first == name, 'column_means', table=table, column=theirs, first=first, second=name) }}
{% endfor %}
{#- Where logs names no users, each slate is somebody's own, as errors are of users. -#}
{% do found.setdefault('user_id', found.slate_id) if 'slate_id' in found %}
{{ return(found) }}
{% endmacro %}

-- A column as the table spells it, or else in another case; none where it has no such column. Where the table
-- cannot be read, it is as it is written.
{% macro spelled_as(name, source) %}
{% if not source.kinds or name in source.kinds %}{{ return(name) }}{% endif %}
{% set alike = [] %}
{% for other in source.kinds if other | lower == name | lower %}{% do alike.append(other) %}{% endfor %}
{% set shown = {'count': alike | length, 'columns': alike | join(', ')} %}
{{ sqlrec.require(alike | length < 2, 'column_case', table=source.name, name=name, **shown) }}
{{ return(alike[0] if alike else none) }}
{% endmacro %}

-- The columns of a relation, each with its type as DuckDB calls it, none where that is not known. Empty where
-- it cannot be read: while dbt parses; at a table that is not there yet, or an ephemeral model, which is a
-- part of the statement to come; and where dbt only compiles, at a query, and at anything with dbt 2, which
-- compiles without a warehouse.
{% macro columns_there(relation) %}
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
{% do kinds.update({column.name: sqlrec.kind_of(column.dtype | lower)}) %}
{% endfor %}
{{ return(kinds) }}
{% endmacro %}

{% macro kind_of(type) %}
{#- ClickHouse writes Nullable(LowCardinality(String)). -#}
{% set plain = modules.re.sub('^((nullable|lowcardinality)[(])+', '', type) %}
{% set plain = modules.re.sub('[()].*', '', plain) %}
{% for form, ours in sqlrec.limits().kinds.items() if modules.re.fullmatch(form, plain) %}{{ return(ours) }}{% endfor %}
{{ return(none) }}
{% endmacro %}

-- Refuses several models in what is to be one; warns of columns that look like grades or models, and that
-- nothing reads.
{% macro check_unread(source, options) %}
{% set table, found, names = source.table_name, source.found, sqlrec.limits().looks_like %}
{% set of_lists = table in ['recs', 'baseline'] %}
{% set last_word = '(.*[^a-z])?(' ~ (names.models if of_lists else names.scores) ~ ')' %}
{% set model = options.columns.get(table ~ '.model', options.columns.get('model', 'model')) | lower %}
{% for column, kind in source.kinds.items() if column not in found.values() and modules.re.fullmatch(last_word, column | lower) %}
{% if of_lists and 'model' not in found %}
{% set quoted = sqlrec.identifier(column, true) %}
{% set values = run_query('select min(' ~ quoted ~ '), max(' ~ quoted ~ ') from ' ~ source.table.relation).rows[0] %}
{% set several = values[0] != values[1] %}
{% set shown = {'table': source.name, 'column': column, 'values': 'several values, as ' ~ values | join(' and ')} %}
{{ sqlrec.require(not several or column | lower != model, 'several_values', **shown) }}
{% do exceptions.warn(sqlrec.told('unread_models', shown)) if several and table == 'recs' %}
{% elif table == 'truth' and 'relevance' not in found and kind in ['BIGINT', 'DOUBLE', 'DECIMAL', none] %}
{% do exceptions.warn(sqlrec.told('unread_grades', {'table': 'truth', 'column': column})) %}
{% endif %}
{% endfor %}
{% endmacro %}

-- A column that users are told apart by: of the users table, or else of the truth.
{% macro segment(name, number, sources) %}
{% set there = [] %}
{% for source in sources.users + sources.truth %}
{% if name in source.found %}
{{ return({
    'asked': name, 'name': 'segment_' ~ number, 'label': sqlrec.identifier(name),
    'column': sqlrec.identifier(source.found[name], source.kinds), 'table': source.name,
}) }}
{% endif %}
{% do there.insert(0, source.name ~ ' has ' ~ source.kinds | join(', ')) %}
{% endfor %}
{{ sqlrec.refuse('by_lacks', option='by', name=name, tables='truth or users: ' ~ there | join('; ')) }}
{% endmacro %}

-- A table of the plan.
{% macro table(relation, model, found, kinds) %}
{% set limits, columns, floating = sqlrec.limits(), {}, {} %}
{% for name in limits['columns'] %}
{% set column = sqlrec.identifier(found[name], kinds) if name in found else none %}
{% if name in ['relevance', 'reward'] and kinds.get(found.get(name)) == 'BOOLEAN' %}
{% set column = 'case when ' ~ column ~ ' then 1 when not ' ~ column ~ ' then 0 end' %}
{% endif %}
{% do columns.update({name: column}) %}
{% endfor %}
{% for name in limits.numbers %}
{% do floating.update({name: name in found and kinds.get(found[name]) != 'BOOLEAN'}) %}
{% endfor %}
{% do columns.update({'model': sqlrec.text(model)}) if model is not none %}
{{ return(dict(sqlrec.blank().table, relation=relation, columns=columns, floating=floating, model=model)) }}
{% endmacro %}
