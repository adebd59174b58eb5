-- What people call in dbt. Options, defaults and meanings are those of sqlrec.evaluate in Python, and so
-- is the statement:
--
--   sqlrec.evaluate('ndcg@10 map@5', recs=ref('recs'), truth=ref('truth'), by='country')
--
-- What may be asked stands in catalogue.sql. The macros below that return something else than text run
-- in dbt alone; Python has them in sqlrec/plan/build.py.

-- The mean over users: a row per model, segment, metric and cutoff.
{% macro evaluate(metrics) %}
{{- sqlrec.tidy(sqlrec.evaluation(sqlrec.plan(metrics, kwargs))) -}}
{% endmacro %}

-- Whether a form counts users and broken rules: `audited` does, `plain` does not.
{% macro is_audited(form) %}
{% if form not in ['audited', 'plain'] %}
{{ sqlrec.refuse("form='" ~ form ~ "': " ~ sqlrec.nearest(form | string, ['audited', 'plain'])) }}
{% endif %}
{{ return(form == 'audited') }}
{% endmacro %}

-- The values before the mean: a row per user too.
{% macro per_user(metrics) %}
{{- sqlrec.tidy(sqlrec.user_evaluation(sqlrec.plan_of_users(sqlrec.plan(metrics, kwargs)))) -}}
{% endmacro %}

-- The mean difference to the model `baseline`, user by user, with its interval.
{% macro compare(metrics, baseline=none) %}
{{- sqlrec.tidy(sqlrec.comparison(sqlrec.paired_plan(sqlrec.plan(metrics, kwargs), baseline))) -}}
{% endmacro %}

-- The plan: a dict of what sqlrec/plan/plan.py lists. Columns are not looked at: what is needed is
-- there, and what `columns` names.
{% macro plan(metrics, given) %}
{% set limits = sqlrec.limits() %}
{% set options = sqlrec.read_options(given) %}
{% set asked = sqlrec.read_asked(metrics, options.convention) %}
{% set by = options.by | list %}
{% set target = sqlrec.target(asked, options) %}
{% set needed = sqlrec.needed(asked, options, target) %}
{% set used = [] %}
{% set found = {} %}
{% for table, columns in needed.items() %}
{% set _ = found.update({table: sqlrec.find(table, columns, options, used)}) %}
{% endfor %}
{% for key, column in options.columns.items() if key not in used %}
{{ sqlrec.refuse("columns['" ~ key ~ "']='" ~ column ~ "': no input has this column") }}
{% endfor %}
{% set graded = 'relevance' in found.get('truth', {}) %}
{% if 'relevance_threshold' in options.given and not graded and 'truth' in found %}
{{ sqlrec.refuse(
    'relevance_threshold=' ~ options.given.relevance_threshold ~ " needs a column 'relevance' with numbers "
    ~ "in truth. Name yours: columns={'relevance': ...}"
) }}
{% endif %}

{% set recs = [] %}
{% for model, relation in options.models.items() if 'recs' in found %}
{% set source = sqlrec.source(relation, found.recs) %}
{% set _ = source.update({'model': model if options.named_models else none}) %}
{% if options.named_models %}{% set _ = source['columns'].update({'model': sqlrec.text(model)}) %}{% endif %}
{% set _ = recs.append(source) %}
{% endfor %}
{% set segments = [] %}
{% for name in by %}
{% set table = 'users' if name in found.get('users', {}) else 'truth' %}
{% set _ = segments.append({
    'asked': name,
    'name': 'segment_' ~ loop.index,
    'label': sqlrec.identifier(name),
    'column': sqlrec.identifier(found[table][name]),
    'table': table,
}) %}
{% endfor %}
{% set several = recs and (options.named_models or 'model' in found.recs) %}
{% if 'logs' in found %}{{ sqlrec.check_logs(asked, found.logs, target, several) }}{% endif %}
{% set cutoffs = asked | map(attribute='place') | unique | sort | list %}
{% set numbers = cutoffs | reject('equalto', limits.whole_list) | list %}
{% set depths = asked | selectattr('of_lists') | map(attribute='place') | list %}
{% set common = {
    'audit': sqlrec.is_audited(options.form),
    'errors': false,
    'complete': false,
    'terms': false,
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
{% set rules = sqlrec.rules_of(one, options, found) %}
{% set _ = parts.setdefault(rules | string, {'rules': rules, 'asked': []}).asked.append(one) %}
{% endfor %}
{% set plans = [] %}
{% for part in parts.values() %}
{% set _ = plans.append(sqlrec.plan_under(common, part.asked, part.rules, options, target, found)) %}
{% endfor %}
{% if plans | length == 1 %}{{ return(plans[0]) }}{% endif %}
{% set whole = dict(sqlrec.limits().rules.copy(), row_order=none) %}
{% set plan = sqlrec.plan_under(common, asked, whole, options, target, found) %}
{{ return(sqlrec.together(plan, plans)) }}
{% endmacro %}

-- The plan of what is asked under one set of rules.
{% macro plan_under(common, asked, rules, options, target, found) %}
{% set needed = sqlrec.needed(asked, options, target) %}
{% set ordered = sqlrec.ordered(found.recs, rules) if 'recs' in found else {'order': 'score', 'checked': false} %}
{#- Given ranks leave no ties. -#}
{% if ordered.order == 'rank' and rules.ties in sqlrec.limits().by_relevance %}
{% set rules = dict(rules, ties=sqlrec.limits().rules.ties) %}
{% endif %}
{% set plan = dict(common, title=asked | map(attribute='spelled') | join(', '), kinds=sqlrec.kinds(asked, rules)) %}
{% for table in sqlrec.tables() if table != 'recs' %}
{% set _ = plan.update({
    table: sqlrec.source(options[table], found[table]) if table in needed else none
}) %}
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
{% set _ = plan.update({'order': ordered.order, 'check_order': ordered.checked}) %}
{% if 'recs' not in needed %}{% set _ = plan.update({'recs': []}) %}{% endif %}
{% if 'items' in needed %}
{% set _ = plan['items'].update({'needed': needed['items'] | sort}) %}
{% endif %}
{% if 'logs' in needed %}{% set _ = plan.logs.update({'target': target}) %}{% endif %}
{% if 'baseline' in needed %}
{% set ordered = sqlrec.ordered(found.baseline, rules) %}
{% set _ = plan['baseline'].update({
    'order': ordered.order,
    'check_order': ordered.checked,
    'scored': 'score' in needed['baseline'],
}) %}
{% endif %}
{{ return(plan) }}
{% endmacro %}

-- Rules brought together: those given count most, then the convention's, then the defaults. What orders
-- lists in a convention is what it prefers, where lists have both.
{% macro rules_of(one, options, found) %}
{% set rules = sqlrec.limits().rules.copy() %}
{% set _ = rules.update(one.rules) %}
{% if rules.relevance_threshold == '-inf' %}
{% set _ = rules.update({'relevance_threshold': rules.relevance_threshold | float}) %}
{% endif %}
{% set _ = rules.update(options.given) %}
{% if 'order' not in options.given and rules.order is not none %}
{% for table in ['recs', 'baseline'] if table in found and rules.order not in found[table] %}
{% set _ = rules.update({'order': none}) %}
{% endfor %}
{% endif %}
{% if 'duplicates' in options.given %}
{% set _ = rules.update({'truth_duplicates': options.given.duplicates}) %}
{% endif %}
{% set row_order = sqlrec.by_rows(rules, options.given, found) %}
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
{% macro by_rows(rules, given, found) %}
{% set orders = [] %}
{% for name, of_rows, instead in sqlrec.limits().without_rows if rules[name] == of_rows %}
{% set of_truth = name == 'truth_duplicates' %}
{% set tables = (['truth'] if of_truth else ['recs', 'baseline']) | select('in', found) | list %}
{% set named = namespace(all=tables | length > 0) %}
{% for table in tables if 'order_by' not in found[table] %}{% set named.all = false %}{% endfor %}
{% set order = found[tables[0]].order_by if named.all else 'rows' if adapter.type() == 'duckdb' else none %}
{% set counts = 'relevance' in found.get('truth', {}) if of_truth else true %}
{% set option = 'duplicates' if of_truth else name %}
{% if order is none and option in given and counts %}
{{ sqlrec.refuse(
    option ~ "='" ~ of_rows ~ "': rows of " ~ adapter.type() ~ ' have no order; name a column of ' ~ tables[0]
    ~ " that says which comes first, order_by='...', or give '" ~ instead ~ "'"
) }}
{% elif order is none %}
{% set _ = rules.update({name: instead}) %}
{% endif %}
{% if tables and counts %}{% set _ = orders.append(order or 'none') %}{% endif %}
{% endfor %}
{{ return(orders | unique | join(', ') or none) }}
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

-- What orders the lists of a table, and whether the other has to agree.
{% macro ordered(found, options) %}
{{ return({
    'order': options.order or ('rank' if 'rank' in found else 'score'),
    'checked': options.order is none and 'rank' in found and 'score' in found,
}) }}
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
{% if column | lower in taken or column | length > sqlrec.limits().longest_column %}
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
    'baseline_value', 'difference', 'standard_error', 'low', 'high', 'wins', 'ties', 'losses', 'better',
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

-- All options, checked: what is not given has its default. The rules that are given stand in `given`.
{% macro read_options(given) %}
{% set allowed_rules = sqlrec.rules() %}
{% set rules = sqlrec.limits().rules.copy() %}
{% set options = {'by': [], 'columns': {}, 'convention': 'sqlrec', 'depth': none, 'form': 'audited', 'order_by': none} %}
{% for table in sqlrec.tables() %}{% set _ = options.update({table: none}) %}{% endfor %}
{% set known = options | list + allowed_rules | list + ['relevance_threshold'] %}
{% for name in given if name not in known %}
{{ sqlrec.refuse("unknown option '" ~ name ~ "': " ~ sqlrec.nearest(name, known)) }}
{% endfor %}
{% set switched = {} %}
{% for name, value in given.items() %}
{% if name not in rules %}
{% set _ = options.update({name: value}) %}
{% elif value is not none %}
{% set _ = switched.update({name: value}) %}
{% endif %}
{% endfor %}
{% for name, value in switched.items() if name in allowed_rules and value not in allowed_rules[name] %}
{{ sqlrec.refuse(
    name ~ "='" ~ value ~ "': " ~ sqlrec.nearest(value, allowed_rules[name] | select('string') | list)
) }}
{% endfor %}
{% set threshold = switched.get('relevance_threshold', 0) %}
{% set largest = sqlrec.limits().largest_relevance %}
{% if threshold is boolean or threshold is not number or not -largest <= [threshold, -largest] | max <= largest %}
{{ sqlrec.refuse("relevance_threshold='" ~ threshold ~ "': it is a number of at most " ~ largest) }}
{% endif %}
{% set largest = sqlrec.limits().largest_depth %}
{% if options.depth is not none and (options.depth is boolean or options.depth is not integer or not 1 <= options.depth <= largest) %}
{{ sqlrec.refuse("depth='" ~ options.depth ~ "': it is a whole number from 1 to " ~ largest) }}
{% endif %}
{% set _ = options.update({'given': switched, 'order': switched.get('order')}) %}
{#- A relation is a mapping to Jinja, but no dict: it is printed and nothing else. -#}
{% for name in sqlrec.tables() if options[name] | string in ['None', 'none', '', '{}'] %}
{% set _ = options.update({name: none}) %}
{% endfor %}
{% set named_models = (options.recs | string).startswith('{') %}
{% set models = options.recs if named_models else {'recs': options.recs} %}
{% for model in models if not (model is string and model) %}
{{ sqlrec.refuse("recs has a model '" ~ model ~ "': a model's name is text") }}
{% endfor %}
{% set _ = options.update({'models': models, 'named_models': named_models}) %}
{% set _ = options.update({'by': [options.by] if options.by is string else options.by}) %}
{% set _ = options.update({'columns': options.columns or {}}) %}
{% if options.order_by is not none and options.columns is mapping %}
{% set _ = options.update({'columns': dict(options.columns, order_by=options.order_by)}) %}
{% endif %}
{{ sqlrec.check_by(options.by) }}
{{ sqlrec.check_columns(options.columns, options.by) }}
{{ return(options) }}
{% endmacro %}

{% macro check_by(by) %}
{% if by is not iterable %}
{{ sqlrec.refuse('by=' ~ by ~ ': give names of columns') }}
{% endif %}
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
{% set known = sqlrec.known_columns() + by | list %}
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

-- The caller's columns for our names in a table: those that it needs, and others that are named.
{% macro find(table, asked, options, used) %}
{% set own = sqlrec.tables()[table] %}
{% set columns = options.columns %}
{% set needed = own.always + asked | sort %}
{% set others = own.sometimes | reject('in', asked) | list %}
{% if table in ['recs', 'baseline'] %}
{% set ranked = 'rank' in columns or table ~ '.rank' in columns %}
{% set scored = 'score' in columns or table ~ '.score' in columns %}
{% set needed = needed + [options.order or ('rank' if ranked and not scored else 'score')] %}
{% if table == 'recs' and options.named_models %}
{% set others = others | reject('equalto', 'model') | list %}
{% endif %}
{% elif table == ('truth' if options.users is none else 'users') %}
{% for name in options.by if 'truth.' ~ name not in columns %}
{% set _ = needed.append(name) %}
{% endfor %}
{% endif %}
{% if table in ['truth', 'users'] %}{% set others = others + options.by | list %}{% endif %}
{% set found = {} %}
{% for name in needed + others %}
{% set key = table ~ '.' ~ name if table ~ '.' ~ name in columns else name %}
{% if key in columns %}
{% set _ = used.append(key) %}
{% set _ = found.update({name: columns[key]}) %}
{% elif name in needed %}
{% set _ = found.update({name: name}) %}
{% endif %}
{% endfor %}
{% set meant = {} %}
{% for name, theirs in found.items() if name not in options.by or name in sqlrec.known_columns() %}
{% if theirs in meant %}
{{ sqlrec.refuse(
    table ~ ": '" ~ theirs ~ "' would be '" ~ meant[theirs] ~ "' and '" ~ name
    ~ "', and a column means one thing: name the other one, columns={...}"
) }}
{% endif %}
{% set _ = meant.update({theirs: name}) %}
{% endfor %}
{{ return(found) }}
{% endmacro %}

{% macro source(relation, found) %}
{% set columns = {} %}
{% for name in sqlrec.known_columns() %}
{% set _ = columns.update({name: sqlrec.identifier(found[name]) if name in found else none}) %}
{% endfor %}
{% set floating = {} %}
{% for name in sqlrec.limits().numbers %}{% set _ = floating.update({name: name in found}) %}{% endfor %}
{{ return({
    'relation': relation,
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
