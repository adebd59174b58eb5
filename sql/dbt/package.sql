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
{% set target = sqlrec.target(asked, options) %}
{% set needed = sqlrec.needed(asked, options, target) %}
{% set sources = sqlrec.read_sources(needed, options) %}
{% set truth = sources.truth[0] if 'truth' in sources else none %}
{% set graded = sqlrec.is_graded(sources) %}
{% if 'relevance_threshold' in options.given and not graded and truth is not none %}
{{ sqlrec.refuse(
    'relevance_threshold=' ~ options.given.relevance_threshold ~ " needs a column 'relevance' with numbers in truth"
    ~ (': it has ' ~ truth.kinds | join(', ') if truth.kinds) ~ ". Name yours: columns={'relevance': ...}"
) }}
{% endif %}
{% set recs = [] %}
{% for source in sources.get('recs', []) %}
{% set _ = recs.append(sqlrec.table(source)) %}
{% if source.model is not none %}
{% set _ = recs[-1].update({'model': source.model}) %}
{% set _ = recs[-1]['columns'].update({'model': sqlrec.text(source.model)}) %}
{% endif %}
{% endfor %}
{% set segments = [] %}
{% for name in options.by %}
{% set _ = segments.append(sqlrec.segment(name, loop.index, sources)) %}
{% endfor %}
{% set several = recs and (options.named_models or 'model' in sources.recs[0].found) %}
{% if 'logs' in sources %}{{ sqlrec.check_logs(asked, sources.logs[0].found, target, several) }}{% endif %}
{% set cutoffs = asked | map(attribute='place') | unique | sort | list %}
{% set numbers = cutoffs | reject('equalto', limits.whole_list) | list %}
{% set depths = asked | selectattr('of_lists') | map(attribute='place') | list %}
{% set common = {
    'audit': options.form != 'plain',
    'errors': options.interval is not none,
    'complete': false,
    'terms': false,
    'pairs': [],
    'weighed': 'propensity' in (asked | map(attribute='needs') | map('string') | join),
    'list_keys': ['model', 'user_id'] if several else ['user_id'],
    'by': segments,
    'recs': recs,
    'scored': 'score' in needed.get('recs', []),
    'cutoffs': cutoffs,
    'k': cutoffs[0] if cutoffs | length == 1 else none,
    'largest_k': numbers[-1] if numbers else none,
    'depth': none if not depths or limits.whole_list in depths else depths | max,
    'ends': options.depth,
    'whole_list': limits.whole_list,
    'past_every_cutoff': limits.past_every_cutoff,
    'graded': graded,
    'whole_ids': false,
    'largest_relevance': limits.largest_exponent
        if 'exponential' in (asked | map(attribute='settings') | map('string') | join)
        else limits.largest_relevance,
    'lists': none,
    'parts': [],
    'part_lists': [],
    'name': none,
    'words': none,
} %}
{% set parts = {} %}
{% for one in asked %}
{% set rules = sqlrec.rules_of(one, options, sources) %}
{% set _ = parts.setdefault(rules | string, {'rules': rules, 'asked': []}).asked.append(one) %}
{% endfor %}
{% set plans = [] %}
{% for part in parts.values() %}
{% set _ = plans.append(sqlrec.plan_under(common, part.asked, part.rules, options, target, sources)) %}
{% endfor %}
{% if plans | length == 1 %}{{ return(plans[0]) }}{% endif %}
{% set whole = dict(sqlrec.limits().rules.copy(), row_order=none) %}
{% set plan = sqlrec.plan_under(common, asked, whole, options, target, sources) %}
{{ return(sqlrec.together(plan, plans)) }}
{% endmacro %}

-- The plan of what is asked under one set of rules.
{% macro plan_under(common, asked, rules, options, target, sources) %}
{% set needed = sqlrec.needed(asked, options, target) %}
{% set ordered = sqlrec.ordered(sources.recs, rules) if 'recs' in sources else {'order': 'score', 'check_order': false} %}
{#- Given ranks leave no ties. -#}
{% if ordered.order == 'rank' and rules.ties in sqlrec.limits().by_relevance %}
{% set rules = dict(rules, ties=sqlrec.limits().rules.ties) %}
{% endif %}
{% set plan = dict(common, title=asked | map(attribute='spelled') | join(', '), kinds=sqlrec.kinds(asked, rules)) %}
{% for table in sqlrec.tables() if table != 'recs' %}
{% set _ = plan.update({table: sqlrec.table(sources[table][0]) if table in needed else none}) %}
{% endfor %}
{% set _ = plan.update(rules) %}
{#- What orders rows is left out where no rule goes by it. -#}
{% set by_row = ['first', 'last'] %}
{% if plan.truth and rules.truth_duplicates not in by_row %}
{% set _ = plan.truth.update({'columns': dict(plan.truth['columns'], order_by=none)}) %}
{% endif %}
{% if rules.ties != 'first' and rules.duplicates not in by_row %}
{% set recs = [] %}
{% for table in common.recs %}{% set _ = recs.append(dict(table, columns=dict(table['columns'], order_by=none))) %}{% endfor %}
{% set _ = plan.update({'recs': recs}) %}
{% if plan.baseline %}{% set _ = plan.baseline.update({'columns': dict(plan.baseline['columns'], order_by=none)}) %}{% endif %}
{% endif %}
{% set _ = plan.update(ordered) %}
{% if 'recs' not in needed %}{% set _ = plan.update({'recs': []}) %}{% endif %}
{% if 'items' in needed %}
{% set _ = plan['items'].update({'needed': needed['items'] | sort}) %}
{% endif %}
{% if 'logs' in needed %}{% set _ = plan.logs.update({'target': target}) %}{% endif %}
{% if 'baseline' in needed %}
{% set _ = plan['baseline'].update(sqlrec.ordered(sources.baseline, rules)) %}
{% set _ = plan['baseline'].update({'scored': 'score' in needed['baseline']}) %}
{% endif %}
{{ return(plan) }}
{% endmacro %}

-- Rules brought together: those given count most, then the convention's, then the defaults. What orders
-- lists in a convention is what it prefers, where lists have both.
{% macro rules_of(one, options, sources) %}
{% set rules = sqlrec.limits().rules.copy() %}
{% set _ = rules.update(one.rules) %}
{% if rules.relevance_threshold == '-inf' %}
{% set _ = rules.update({'relevance_threshold': rules.relevance_threshold | float}) %}
{% endif %}
{% set _ = rules.update(options.given) %}
{% if 'order' not in options.given and rules.order is not none %}
{% for source in sources.get('recs', []) + sources.get('baseline', []) if rules.order not in source.found %}
{% set _ = rules.update({'order': none}) %}
{% endfor %}
{% endif %}
{% if 'duplicates' in options.given %}
{% set _ = rules.update({'truth_duplicates': options.given.duplicates}) %}
{% endif %}
{% set row_order = sqlrec.by_rows(rules, options.given, sources) %}
{% if rules.ties in sqlrec.limits().by_relevance %}
{% if one.of_lists %}{{ sqlrec.check_ties(one, rules) }}{% endif %}
{% for name, odd, instead in sqlrec.limits().with_relevance if rules[name] == odd %}
{% set _ = rules.update({name: instead}) %}
{% endfor %}
{% endif %}
{% if rules.truth_duplicates is none %}
{% set _ = rules.update({'truth_duplicates': 'best' if rules.duplicates == 'best' else 'error'}) %}
{% endif %}
{{ return(dict(rules, row_order=row_order)) }}
{% endmacro %}

-- The order of rows, none where no rule goes by it. Other rules stand in for those that do where there is none.
{% macro by_rows(rules, given, sources) %}
{% set orders = [] %}
{% for name, of_rows, instead in sqlrec.limits().without_rows if rules[name] == of_rows %}
{% set of_truth = name == 'truth_duplicates' %}
{% set tables = sources.get('truth', []) if of_truth else sources.get('recs', []) + sources.get('baseline', []) %}
{% set named = [] %}
{% for source in tables if 'order_by' in source.found %}{% set _ = named.append(source.found.order_by) %}{% endfor %}
{% set order = named[0] if tables and named | length == tables | length else 'rows' if adapter.type() == 'duckdb' else none %}
{% set counts = sqlrec.is_graded(sources) if of_truth else true %}
{% set option = 'duplicates' if of_truth else name %}
{% if order is none and option in given and counts %}
{{ sqlrec.refuse(
    option ~ "='" ~ of_rows ~ "': rows of " ~ adapter.type() ~ ' have no order; name a column of ' ~ tables[0].name
    ~ " that says which comes first, order_by='...', or give '" ~ instead ~ "'"
) }}
{% elif order is none %}
{% set _ = rules.update({name: instead}) %}
{% if tables and counts %}
{% set _ = exceptions.warn(
    'rows of ' ~ adapter.type() ~ " have no order: '" ~ instead ~ "' stands in for " ~ name ~ "='" ~ of_rows
    ~ "', and values may differ from the library's; name a column that says which row comes first, order_by='...'"
) %}
{% endif %}
{% endif %}
{% if tables and counts %}{% set _ = orders.append(order or 'none') %}{% endif %}
{% endfor %}
{{ return(orders | unique | join(', ') or none) }}
{% endmacro %}

-- Whether the truth has grades: yes and no are none.
{% macro is_graded(sources) %}
{% for source in sources.get('truth', []) if 'relevance' in source.found and source.kinds.get(source.found.relevance) != 'boolean' %}
{{ return(true) }}
{% endfor %}
{{ return(false) }}
{% endmacro %}

-- A metric of lists can go by the truth where scores are equal.
{% macro check_ties(one, rules) %}
{% set ties = "ties='" ~ rules.ties ~ "': " ~ one.name %}
{% set expected = sqlrec.limits().expected %}
{% set truth = namespace(read=false) %}
{% for need in one.needs if need.table == 'truth' and sqlrec.holds(need, one.settings, true) %}
{% set truth.read = true %}
{% endfor %}
{% if not truth.read %}
{{ sqlrec.refuse(
    ties ~ ' does not read the truth, which decides here; ask for it in a call of its own'
) }}
{% elif rules.unlisted != 'absent' %}
{{ sqlrec.refuse(ties ~ ' has items below the list, which have no score; ask for another convention') }}
{% elif rules.ties == 'expected' and one.name not in expected %}
{{ sqlrec.refuse(ties ~ ' has no such form; known are ' ~ expected | join(', ')) }}
{% elif rules.ties == 'expected' %}
{% for key, value in expected[one.name].items() if one.settings[key] == value %}
{{ sqlrec.refuse(ties ~ ' has no such form with ' ~ key ~ '=' ~ value ~ '; give another ' ~ key) }}
{% endfor %}
{% endif %}
{% endmacro %}

-- The plans of several sets of rules as one, in which lists are ranked once for those alike.
{% macro together(plan, parts) %}
{% set alike = {} %}
{% for part in parts %}
{% set words = [] %}
{% for name in sqlrec.limits().rules.copy() if part[name] is not none %}
{% set _ = words.append(name ~ ' ' ~ part[name]) %}
{% endfor %}
{% set _ = part.update({'name': 'part_' ~ loop.index, 'words': words | join(', ')}) %}
{#- Where the truth has its say in the order, it is read as the part's own rules have it. -#}
{% if part.recs and part.ties not in ['best', 'worst'] %}
{% set ranked = [] %}
{% for name in sqlrec.limits().ranking %}{% set _ = ranked.append(part[name]) %}{% endfor %}
{% if ranked | string not in alike %}
{% set _ = alike.update({ranked | string: dict(part, lists='lists_' ~ (alike | length + 1))}) %}
{% endif %}
{% set _ = part.update({'lists': alike[ranked | string].lists}) %}
{% endif %}
{% endfor %}
{% set _ = plan.update({'parts': parts, 'part_lists': alike.values() | list}) %}
{{ return(plan) }}
{% endmacro %}

-- The inputs that are read, each with the columns that metrics ask for.
{% macro needed(asked, options, target) %}
{% set wanted = {} %}
{% for one in asked %}
{#- Lists may be those of users of the truth alone. -#}
{% set of_truth = one.of_lists and one.rules.get('listed') == 'truth' %}
{% set more = [{'table': 'truth', 'columns': [], 'when': ''}] if of_truth else [] %}
{% for need in one.needs + more if sqlrec.holds(need, one.settings, options[need.table]) %}
{% if options[need.table] is none %}
{{ sqlrec.refuse(
    need.table ~ ' is missing: ' ~ one.label ~ ' needs a table with '
    ~ (sqlrec.tables()[need.table].always + need.columns) | join(', ')
    ~ '; give a relation, as in ' ~ need.table ~ "=ref('" ~ need.table ~ "')"
) }}
{% endif %}
{% set _ = wanted.update({need.table: wanted.get(need.table, []) + need.columns}) %}
{% endfor %}
{% endfor %}
{% if 'logs' in wanted %}
{% set of_lists = ['user_id', 'item_id'] if target == 'recs' else [] %}
{% set of_segments = ['user_id'] if options.by else [] %}
{% set of_policy = ['target_probability'] if target == 'target_probability' else [] %}
{% set _ = wanted.update({'logs': wanted.logs + of_lists + of_segments + of_policy}) %}
{% endif %}
{% if options.users is not none %}{% set _ = wanted.update({'users': []}) %}{% endif %}
{% if options.by and options.truth is not none %}
{% set _ = wanted.update({'truth': wanted.get('truth', [])}) %}
{% endif %}
{% set needed = {} %}
{% for table in sqlrec.tables() if table in wanted %}
{% set _ = needed.update({table: wanted[table] | unique | list}) %}
{% endfor %}
{{ return(needed) }}
{% endmacro %}

-- What tells the policy that logged decisions are held against: lists, or a column.
{% macro target(asked, options) %}
{% for one in asked if one.of_lists and 'logs' in one.needs | map(attribute='table') %}
{{ return('target_probability' if options.recs is none else 'recs') }}
{% endfor %}
{{ return(none) }}
{% endmacro %}

{% macro check_logs(asked, found, target, several) %}
{% if target == 'recs' and 'target_probability' in found %}
{{ sqlrec.refuse(
    "recs is given, and logs has a column 'target_probability': one of them alone says what is "
    ~ 'evaluated; leave out the other'
) }}
{% endif %}
{% set whole_list = sqlrec.limits().whole_list %}
{% for one in asked %}
{% for need in one.needs if need.table == 'logs' %}
{% if target == 'target_probability' and one.place != whole_list %}
{{ sqlrec.refuse(
    one.spelled ~ ': a cutoff is of lists, and recs is not given; write ' ~ one.label
) }}
{% elif several and 'expected_reward' in need.columns %}
{{ sqlrec.refuse(
    one.label ~ ': expected_reward is of one policy, and recs has several models; evaluate each '
    ~ 'alone, with logs of its own'
) }}
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}

-- Whether an input is read, with these parameters.
{% macro holds(need, settings, given) %}
{% if '=' in need.when %}
{% set key, value = need.when.split('=') %}
{{ return(settings[key] | string == value) }}
{% endif %}
{{ return(given is not none or not need.when) }}
{% endmacro %}

-- What orders the lists, and whether the other has to agree.
{% macro ordered(sources, rules) %}
{% set usable = [] %}
{% for name in ['rank', 'score'] if rules.order in [none, name] %}
{% set has = [] %}
{% for source in sources if name in source.found %}{% set _ = has.append(source) %}{% endfor %}
{% if has | length == sources | length %}{% set _ = usable.append(name) %}{% endif %}
{% endfor %}
{% if not usable %}
{% set missing_relevant = [] %}
{% for source in sources if (rules.order or 'score') not in source.found and (rules.order or 'rank') not in source.found %}
{% set _ = missing_relevant.append(source) %}
{% else %}
{{ sqlrec.refuse('recs: some have ranks, and some have scores: give all models the one or the other') }}
{% endfor %}
{{ sqlrec.refuse(
    missing_relevant[0].name ~ ' has no column ' ~ ("'score' or 'rank'" if rules.order is none else "'" ~ rules.order ~ "'")
    ~ ': it has ' ~ missing_relevant[0].kinds | join(', ') ~ ". Name yours: columns={'" ~ (rules.order or 'score') ~ "': ...}"
) }}
{% endif %}
{{ return({'order': usable[0], 'check_order': usable | length == 2}) }}
{% endmacro %}

-- Metrics over one kind of rows brought together, and cutoffs of one metric.
{% macro kinds(asked, rules) %}
{% set kinds = {} %}
{% set metrics = {} %}
{% for one in asked %}
{% set expected = rules.ties == 'expected' and one.name in sqlrec.limits().expected %}
{% set rows = 'expected' if expected else one.rows %}
{% if rows not in kinds %}
{% set _ = kinds.update({rows: {
    'name': rows,
    'metrics': [],
    'cutoffs': [],
    'of_users': rows not in sqlrec.limits().whole_kinds,
    'truth': false,
    'weighed': false,
}}) %}
{% endif %}
{% set kind = kinds[rows] %}
{% for need in one.needs if need.table == 'truth' and sqlrec.holds(need, one.settings, true) %}
{% set _ = kind.update({'truth': true}) %}
{% endfor %}
{% for need in one.needs if 'propensity' in need.columns %}
{% set _ = kind.update({'weighed': true}) %}
{% endfor %}
{% if one.label not in metrics %}
{% set column = modules.re.sub('[^0-9A-Za-z]+', '_', one.label).strip('_') %}
{% set taken = metrics.values() | map(attribute='column') | map('lower') | list %}
{% set reserved = adapter.type() == 'fabric' and column == 'precision' %}
{% if reserved or column | lower in taken or column | length > sqlrec.limits().longest_column %}
{% set column = one.name ~ '_' ~ (metrics | length + 1) %}
{% endif %}
{% set _ = metrics.update({one.label: {
    'label': one.label,
    'column': column,
    'macro': rows ~ '__' ~ one.name,
    'params': one.params,
    'parts': one.parts,
    'better': one.better,
    'title': one.title,
    'source': one.source,
    'cutoffs': [],
    'texts': [],
}}) %}
{% set _ = kind.metrics.append(metrics[one.label]) %}
{% endif %}
{% set _ = metrics[one.label].cutoffs.append(one.place) %}
{% set _ = metrics[one.label].texts.append(one.text) %}
{% if one.place not in kind.cutoffs %}{% set _ = kind.cutoffs.append(one.place) %}{% endif %}
{% endfor %}
{{ return(kinds.values() | list) }}
{% endmacro %}

-- A plan in which some metric has a value for each user.
{% macro plan_of_users(plan) %}
{% if not plan.kinds | selectattr('of_users') | list %}
{{ sqlrec.refuse(
    plan.title ~ ': no value of single users, it is one of all users together; '
    ~ 'ask for a metric of users beside it'
) }}
{% endif %}
{{ return(plan) }}
{% endmacro %}

-- The plan of a comparison: it names the baseline, which has to be one of several models.
{% macro paired_plan(plan, baseline) %}
{% set models = plan.recs | map(attribute='model') | list %}
{% if baseline is none or not baseline | string %}
{{ sqlrec.refuse("baseline is missing: name the model to compare with, as in baseline='pop'") }}
{% elif 'model' not in plan.list_keys or (models | length == 1 and models[0] is not none) %}
{{ sqlrec.refuse(
    "there is one model, and a comparison needs two: give recs={'als': ..., 'pop': ...}, "
    ~ "or name the column that tells models apart, columns={'model': 'model'}"
) }}
{% elif models[0] is not none and baseline not in models %}
{{ sqlrec.refuse("baseline='" ~ baseline ~ "' is no model of recs: " ~ sqlrec.nearest(baseline, models)) }}
{% endif %}
{% set taken = [
    'baseline_value', 'difference', 'standard_error', 'baseline_error', 'covariance', 'mean_baseline', 'low', 'high', 'wins', 'ties', 'losses', 'better',
    'signs', 'signed_ranks', 'signed_ranks_error', 'distance', 'direction', 'mean_difference', 'size_rank',
    'more', 'fewer', 'user_value', 'user_baseline_value', 'user_difference', 'sum_users', 'added_part',
    'added_whole', 'added_parts', 'added_wholes', 'baseline_added_part', 'baseline_added_whole',
    'baseline_added_parts', 'baseline_added_wholes',
] %}
{% for segment in plan.by if segment.asked | lower in taken %}
{{ sqlrec.refuse("by='" ~ segment.asked ~ "': the result has a column of this name; rename it") }}
{% endfor %}
{% set of_sums = sqlrec.of_sums(plan) | map(attribute='label') | list %}
{% for kind in plan.kinds %}
{% for metric in kind.metrics if not kind.of_users or metric.label not in of_sums and sqlrec.which_mean(metric) != 'plain' %}
{{ sqlrec.refuse(
    metric.label ~ ' is no function of sums over users, which one statement compares: leave it out here, or '
    ~ 'compare it in Python, which draws users'
) }}
{% endfor %}
{% endfor %}
{% for part in [plan] + (plan.parts or []) %}{% set _ = part.update({'terms': of_sums | length > 0}) %}{% endfor %}
{% set _ = plan.update({'baseline_model': sqlrec.text(baseline | string)}) %}
{{ return(plan) }}
{% endmacro %}

-- All options, checked: what is not given has the default that `vars` of the project have under the name
-- sqlrec, or else ours. The rules that are given stand in `given`.
{% macro read_options(given) %}
{% set declared = sqlrec.options() %}
{% set defaults = var('sqlrec', {}) %}
{{ sqlrec.check_known('vars: sqlrec: ', defaults, declared) }}
{{ sqlrec.check_known('', given, sqlrec.tables() | list + declared | list) }}
{% set switched = {} %}
{% set options = {'given': switched, 'compares': false} %}
{% for name, option in declared.items() %}
{% set value = given.get(name) if given.get(name) is not none else defaults.get(name) %}
{% if value is not none %}
{{ sqlrec.check_option(name, option, value) }}
{% if name in sqlrec.limits().rules %}{% set _ = switched.update({name: value}) %}{% endif %}
{% endif %}
{% set _ = options.update({name: option.default if value is none else value}) %}
{% endfor %}
{#- A relation is a mapping to Jinja, but no dict: it is printed and nothing else. -#}
{% for name in sqlrec.tables() %}
{% set table = given.get(name) %}
{% set _ = options.update({name: none if table | string in ['None', 'none', '', '{}'] else table}) %}
{% endfor %}
{% set named_models = (options.recs | string).startswith('{') %}
{% set models = options.recs if named_models else {none: options.recs} %}
{% for model in models if named_models and not (model is string and model) %}
{{ sqlrec.refuse("recs has a model '" ~ model ~ "': a model's name is text") }}
{% endfor %}
{% set _ = options.update({'models': models, 'named_models': named_models}) %}
{{ sqlrec.check_by(options.by) }}
{% set _ = options.update({'by': [options.by] if options.by is string else options.by | list}) %}
{{ sqlrec.check_columns(given.get('columns') or {}, options.by) }}
{#- Of the project's names each table has some. -#}
{% set usual = (defaults.get('columns') or {}).copy() %}
{% set _ = options.update({'usual': usual.copy(), 'columns': usual}) %}
{% set _ = usual.update(given.get('columns') or {}) %}
{% if options.order_by is not none %}{% set _ = usual.update({'order_by': options.order_by}) %}{% endif %}
{{ return(options) }}
{% endmacro %}

{% macro check_known(where, names, known) %}
{% for name in names if name not in known %}
{{ sqlrec.refuse(where ~ "unknown option '" ~ name ~ "': " ~ sqlrec.nearest(name, known)) }}
{% endfor %}
{% endmacro %}

-- A value is one that an option may have, as sqlrec/options.py declares it.
{% macro check_option(name, option, value) %}
{% set given = name ~ "='" ~ value ~ "': " %}
{% set least, most = option.limits or [none, none] %}
{% if option.choices %}
{% if value is boolean or value not in option.choices %}
{{ sqlrec.refuse(given ~ sqlrec.nearest(value, option.choices | reject('none') | map('string') | list)) }}
{% endif %}
{% elif option.type == 'int' %}
{% if value is boolean or value is not integer or not least <= value <= most %}
{{ sqlrec.refuse(given ~ 'it is a whole number from ' ~ least ~ ' to ' ~ most) }}
{% endif %}
{% elif option.type == 'float' and (value is boolean or value is not number or not -most <= [value, -most] | max <= most) %}
{{ sqlrec.refuse(given ~ 'it is a number of at most ' ~ most) }}
{% endif %}
{% endmacro %}

{% macro check_by(by) %}
{% if by is not iterable %}
{{ sqlrec.refuse('by=' ~ by ~ ': give names of columns') }}
{% endif %}
{% set by = [by] if by is string else by %}
{% for name in by if name is not string or by | map('lower') | select('equalto', name | lower) | list | length > 1 %}
{{ sqlrec.refuse('by=' ~ by ~ ': name each column once, as text') }}
{% endfor %}
{% for name in by if name | lower in sqlrec.limits().taken %}
{{ sqlrec.refuse(
    "by='" ~ name ~ "': the result has a column of this name already; call it otherwise: "
    ~ "by='segment', columns={'segment': '" ~ name ~ "'}"
) }}
{% endfor %}
{% endmacro %}

{% macro check_columns(columns, by) %}
{% set known = sqlrec.known_columns() + by %}
{% if columns is not mapping %}
{{ sqlrec.refuse('columns=' ~ columns ~ ': give a dict, your names by ours') }}
{% endif %}
{% for key, column in columns.items() %}
{% set name = key.split('.')[-1] %}
{% set table = key.split('.')[:-1] | join('.') %}
{% if table and table not in sqlrec.tables() %}
{{ sqlrec.refuse(
    "columns['" ~ key ~ "']: no input '" ~ table ~ "': " ~ sqlrec.nearest(table, sqlrec.tables())
) }}
{% elif name not in known %}
{{ sqlrec.refuse(
    "columns['" ~ key ~ "']: no column '" ~ name ~ "': " ~ sqlrec.nearest(name, known)
) }}
{% elif column is not string %}
{{ sqlrec.refuse("columns['" ~ key ~ "']=" ~ column ~ ": a column's name is text") }}
{% endif %}
{% endfor %}
{% endmacro %}

-- The inputs that are needed, a list for each: lists of several models are several.
{% macro read_sources(needed, options) %}
{% set used = options.usual | list %}
{% set sources = {} %}
{% for table, asked in needed.items() %}
{% set own = sqlrec.tables()[table] %}
{% set taken = own.sometimes | reject('in', asked) | list %}
{% set assumed = [] %}
{% if table in ['recs', 'baseline'] %}
{% set ranked = 'rank' in options.columns or table ~ '.rank' in options.columns %}
{% set scored = 'score' in options.columns or table ~ '.score' in options.columns %}
{% set _ = assumed.append(options.order or ('rank' if ranked and not scored else 'score')) %}
{#- A comparison needs models, so there are some where nobody can look. -#}
{% if options.compares and table == 'recs' and not options.named_models %}{% set _ = assumed.append('model') %}{% endif %}
{% elif table in ['truth', 'users'] %}
{% set taken = taken + options.by %}
{% for name in options.by if table == ('truth' if options.users is none else 'users') and 'truth.' ~ name not in options.columns %}
{% set _ = assumed.append(name) %}
{% endfor %}
{% endif %}
{% set read = [] %}
{% for model, relation in (options.models if table == 'recs' else {none: options[table]}).items() %}
{% set source = {'model': model, 'relation': relation, 'name': table ~ ("['" ~ model ~ "']" if model is not none)} %}
{% set names = taken | reject('equalto', 'model') | list if model is not none else taken %}
{% set _ = source.update(sqlrec.columns_found(table, source, own.always + asked | sort, assumed, names, options, used)) %}
{% if source.kinds %}{{ sqlrec.check_unread(table, source, options) }}{% endif %}
{% set _ = read.append(source) %}
{% endfor %}
{% set _ = sources.update({table: read}) %}
{% endfor %}
{% for key, column in options.columns.items() if key not in used %}
{{ sqlrec.refuse("columns['" ~ key ~ "']='" ~ column ~ "': no input has this column") }}
{% endfor %}
{{ return(sources) }}
{% endmacro %}

-- The caller's columns for our names in a table: those that it needs, and others that it has. Where nobody
-- can look, it has those assumed, and what `columns` names.
{% macro columns_found(table, source, needed, assumed, taken, options, used) %}
{% set columns = options.columns %}
{% set kinds = sqlrec.columns_there(source.relation) %}
{% set segments = options.by | reject('in', sqlrec.known_columns()) | list %}
{% set found = {} %}
{% set told = {} %}
{% for name in (needed + ([] if kinds else assumed) + taken) | unique %}
{% for key in [table ~ '.' ~ name, name] if key in columns and name not in found %}
{% set theirs = sqlrec.spelled_as(columns[key], kinds, source) if kinds else columns[key] %}
{% if theirs %}
{% set _ = used.append(key) %}
{% set _ = found.update({name: theirs}) %}
{% if name not in segments %}
{% if told.get(theirs, name) != name %}
{{ sqlrec.refuse(
    table ~ ": '" ~ theirs ~ "' would be '" ~ told[theirs] ~ "' and '" ~ name
    ~ "', and a column means one thing: name the other one, columns={...}"
) }}
{% endif %}
{% set _ = told.update({theirs: name}) %}
{% endif %}
{% elif '.' in key %}
{{ sqlrec.refuse("columns['" ~ key ~ "']='" ~ columns[key] ~ "': " ~ table ~ ' has ' ~ kinds | join(', ')) }}
{% endif %}
{% endfor %}
{% endfor %}
{#- A column that is named for something else is not what it is called. -#}
{% for name in (needed + (taken if kinds else assumed)) | unique if name not in found %}
{% set theirs = sqlrec.spelled_as(name, kinds, source) if kinds else name %}
{% set free = told.get(theirs, name) == name or name in segments %}
{% if theirs and free %}
{% set _ = found.update({name: theirs}) %}
{% elif kinds and name in needed %}
{{ sqlrec.refuse(
    source.name ~ " has no column '" ~ name ~ "': it has " ~ kinds | join(', ')
    ~ ". Name yours: columns={'" ~ table ~ '.' ~ name ~ "': ...}"
) }}
{% elif not kinds %}
{{ sqlrec.refuse(
    table ~ ": '" ~ theirs ~ "' would be '" ~ told[theirs] ~ "' and '" ~ name
    ~ "', and a column means one thing: name the other one, columns={...}"
) }}
{% endif %}
{% endfor %}
{{ return({'found': found, 'kinds': kinds}) }}
{% endmacro %}

-- A column as the table spells it, or else in another case; none where it has no such column.
{% macro spelled_as(name, kinds, source) %}
{% if name in kinds %}{{ return(name) }}{% endif %}
{% set alike = [] %}
{% for other in kinds if other | lower == name | lower %}{% set _ = alike.append(other) %}{% endfor %}
{% if alike | length > 1 %}
{{ sqlrec.refuse(
    source.name ~ ' has ' ~ alike | length ~ " columns for '" ~ name ~ "': " ~ alike | join(', ')
    ~ '; rename them, or name one as it is spelled: columns={...}'
) }}
{% endif %}
{{ return(alike[0] if alike else none) }}
{% endmacro %}

-- The columns of a relation, each with its kind as far as it matters: number, boolean or other. Empty where
-- nobody can look: while dbt parses; at a table that is not there yet, or an ephemeral model, which is a
-- part of the statement to come; and where dbt only compiles, at a query, and at anything with dbt 2, which
-- compiles without a warehouse.
{% macro columns_there(relation) %}
{% set kinds = {} %}
{% set compiles = flags.WHICH not in ['run', 'build', 'test', 'show', 'snapshot', 'run-operation'] %}
{% set is_query = relation is string or relation.external %}
{% if not execute or '__dbt__cte__' in relation | string or compiles and (relation is string or dbt_version[0] != '1') %}
{{ return(kinds) }}
{% elif is_query %}
{% for name in dbt.get_columns_in_query('select * from ' ~ relation) %}{% set _ = kinds.update({name: 'unknown'}) %}{% endfor %}
{{ return(kinds) }}
{% endif %}
{% set existing = load_relation(relation) %}
{% for column in (adapter.get_columns_in_relation(existing) if existing else []) %}
{% set kind = 'boolean' if column.dtype | lower in ['bool', 'boolean'] else 'number' if column.is_number() else 'other' %}
{% set _ = kinds.update({column.name: kind}) %}
{% endfor %}
{{ return(kinds) }}
{% endmacro %}

-- Refuses several models in what is to be one; warns of columns that look like grades or models, and that
-- nothing reads.
{% macro check_unread(table, source, options) %}
{% set names = sqlrec.limits().looks_like %}
{% set read = source.found.values() | list %}
{% for column, kind in source.kinds.items() if column not in read %}
{% set last_word = '(.*[^a-z])?(' ~ (names.models if table in ['recs', 'baseline'] else names.scores) ~ ')' %}
{% set is_model = column | lower == options.columns.get(table ~ '.model', options.columns.get('model', 'model')) | lower %}
{% if table in ['recs', 'baseline'] and modules.re.fullmatch(last_word, column | lower) and 'model' not in source.found %}
{% set quoted = sqlrec.identifier(column, true) %}
{% set values = run_query('select min(' ~ quoted ~ '), max(' ~ quoted ~ ') from ' ~ source.relation).rows[0] %}
{% set several = source.name ~ " has a column '" ~ column ~ "' with several values, as " ~ values[0] ~ ' and ' ~ values[1] %}
{% if values[0] != values[1] and is_model %}
{{ sqlrec.refuse(several ~ ': give the lists of one model') }}
{% elif values[0] != values[1] and table == 'recs' %}
{% set _ = exceptions.warn(several ~ ", that nothing reads: if they are models, give columns={'model': '" ~ column ~ "'}") %}
{% endif %}
{% elif table == 'truth' and 'relevance' not in source.found and kind in ['number', 'unknown'] and modules.re.fullmatch(last_word, column | lower) %}
{% set _ = exceptions.warn(
    "truth has a column '" ~ column ~ "' that nothing reads: every row is relevant; if it is the grade, give "
    ~ "columns={'truth.relevance': '" ~ column ~ "'}"
) %}
{% endif %}
{% endfor %}
{% endmacro %}

-- A column that users are told apart by: of the users table, or else of the truth.
{% macro segment(name, number, sources) %}
{% set tables = [] %}
{% for table in ['users', 'truth'] if table in sources and name in sources[table][0].found %}{% set _ = tables.append(table) %}{% endfor %}
{% if not tables %}
{% set there = [] %}
{% for table in ['truth', 'users'] if table in sources %}
{% set _ = there.append(table ~ ' has ' ~ sources[table][0].kinds | join(', ')) %}
{% endfor %}
{{ sqlrec.refuse("by='" ~ name ~ "': no such column in truth or users: " ~ there | join('; ')) }}
{% endif %}
{% set source = sources[tables[0]][0] %}
{{ return({
    'asked': name,
    'name': 'segment_' ~ number,
    'label': sqlrec.identifier(name),
    'column': sqlrec.identifier(source.found[name], source.kinds),
    'table': tables[0],
}) }}
{% endmacro %}

-- A table of the plan.
{% macro table(source) %}
{% set columns = {} %}
{% for name in sqlrec.known_columns() %}
{% set theirs = source.found.get(name) %}
{% set column = sqlrec.identifier(theirs, source.kinds) if theirs else none %}
{% if name in ['relevance', 'reward'] and source.kinds.get(theirs) == 'boolean' %}
{% set column = 'case when ' ~ column ~ ' then 1 when not ' ~ column ~ ' then 0 end' %}
{% endif %}
{% set _ = columns.update({name: column}) %}
{% endfor %}
{% set floating = {} %}
{% for name in sqlrec.limits().numbers %}
{% set _ = floating.update({name: name in source.found and source.kinds.get(source.found[name]) != 'boolean'}) %}
{% endfor %}
{{ return({
    'relation': source.relation,
    'unnest': false,
    'columns': columns,
    'floating': floating,
    'model': none,
    'models': [],
    'needed': [],
    'target': none,
    'order': none,
    'check_order': false,
    'scored': false,
}) }}
{% endmacro %}

-- All names of columns that inputs can have.
{% macro known_columns() %}
{% set known = [] %}
{% for columns in sqlrec.tables().values() %}
{% set _ = known.extend(columns.always + columns.sometimes) %}
{% endfor %}
{% for metric in sqlrec.catalogue().values() %}
{% for need in metric.needs %}{% set _ = known.extend(need.columns) %}{% endfor %}
{% endfor %}
{{ return(known | unique | list) }}
{% endmacro %}

-- Without the empty lines that macros leave, and with one after each named query.
{% macro tidy(sql) -%}
{%- for line in sql.splitlines() if line | trim -%}
{{ line.rstrip() }}{{ '\n' if line.rstrip() in [')', '),'] else '' }}{{ '' if loop.last else '\n' }}
{%- endfor -%}
{%- endmacro %}

{% macro refuse(message) %}{{ exceptions.raise_compiler_error(message) }}{% endmacro %}
