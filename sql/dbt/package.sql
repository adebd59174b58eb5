-- The plan of a call, built in dbt as sqlrec/plan/build.py builds it in Python. Tests compare both
-- plans. catalogue.sql, which Python writes, contains all metrics and options. Macros that return
-- values other than text run only in dbt.

-- The plan: a dict with the entries of sqlrec/plan/plan.py, and the entries of sql/derived.sql.
{% macro plan(metrics, given) %}{{ return(sqlrec.with_derived(sqlrec.plan_from_options(metrics, sqlrec.read_options(given)))) }}{% endmacro %}

-- The plan from options that were read.
{% macro plan_from_options(metrics, options) %}
{% set requests = sqlrec.parse_metrics(metrics, options.convention, options.catalog is not none, options.k) %}
{% set needed = sqlrec.needed_columns(requests, options, options.seen) %}
{% set sources = sqlrec.read_sources(needed, options) %}
{% set common = sqlrec.common_plan(requests, needed, sources, options) %}
{% set sets, plans, no_rules = {}, [], dict(sqlrec.limits().rules, row_order=none) %}
{% for one in requests %}
{% set rules = sqlrec.resolve_rules(one, options, sources) %}
{% do sets.setdefault(rules | string, {'rules': rules, 'requests': []}).requests.append(one) %}
{% endfor %}
{% for own in sets.values() %}
{% do plans.append(sqlrec.plan_for_rules(common, own.requests, own.rules, options, sources)) %}
{% endfor %}
{% set several = plans | length > 1 %}
{% set plan = sqlrec.merge_plans(sqlrec.plan_for_rules(common, requests, no_rules, options, sources), plans) if several else plans[0] %}
{{ sqlrec.check_weighted(plan, requests, options.weights) if options.weights }}
{{ return(plan) }}
{% endmacro %}

-- The entries that the plans of all sets of rules share.
{% macro common_plan(requests, needed, sources, options) %}
{% set limits, segments = sqlrec.limits(), [] %}
{% set several = sources.recs and (none not in options.models or 'model' in sources.recs[0].found) %}
{{ sqlrec.check_logs(requests, sources.logs[0].found, needed.target, several) if sources.logs }}
{% for name in options.by %}{% do segments.append(sqlrec.plan_segment(name, loop.index, sources)) %}{% endfor %}
{% set cutoffs = requests | map(attribute='cutoff') | unique | sort | list %}
{% set numbers = cutoffs | reject('equalto', limits.whole_list) | list %}
{% set depths = requests | selectattr('reads.recs', 'defined') | map(attribute='cutoff') | list %}
{{ return(dict(
    sqlrec.blank().plan,
    audit=options.form != 'plain',
    errors=options.interval is not none,
    weighed=requests | selectattr('metric.weighed') | list | length > 0,
    list_keys=['model', 'user_id'] if several else ['user_id'],
    by=segments,
    user_weights=sqlrec.plan_weights(options.weights, sources) if options.weights else none,
    scored='score' in needed.columns.get('recs', []),
    cutoffs=cutoffs,
    k=cutoffs[0] if cutoffs | length == 1 else none,
    largest_k=numbers[-1] if numbers else none,
    depth=none if not depths or limits.whole_list in depths else depths | max,
    ends=options.depth,
    graded=sqlrec.is_graded(sources),
    largest_relevance=limits.largest_exponent if requests | selectattr('exponential') | list else limits.largest_relevance
)) }}
{% endmacro %}

-- The plan of the requests with one set of rules.
{% macro plan_for_rules(common, requests, rules, options, sources) %}
{% set limits, needed, tables = sqlrec.limits(), sqlrec.needed_columns(requests, options, rules.seen), {} %}
{% set lists, baseline = sqlrec.list_order(sources.recs, rules), sqlrec.list_order(sources.baseline, rules) %}
{#- Lists ordered by rank have no ties. -#}
{% set without_ties = lists.order == 'rank' and rules.ties in limits.by_relevance %}
{% set rules = dict(rules, ties=limits.rules.ties) if without_ties else rules %}
{% set own = {'recs': {'needed': []}, 'baseline': baseline, 'logs': {'target': needed.target}} %}
{#- The order of rows is omitted if no rule reads it. -#}
{% set ordering = [] %}
{% for name, properties in sqlrec.properties_by_rule(rules).items() if 'depends_on_row_order' in properties %}{% do ordering.append(name) %}{% endfor %}
{% for name, read in sources.items() %}
{% set ordered = 'truth_duplicates' in ordering if name == 'truth' else 'ties' in ordering or 'duplicates' in ordering %}
{% set those = [] %}
{% for source in read if name in needed.columns %}
{% set columns = source.table['columns'] if ordered else dict(source.table['columns'], order_by=none) %}
{% set of_metrics = needed.columns[name] | reject('equalto', needed.target) | sort %}
{% do those.append(dict(dict(source.table, columns=columns, needed=of_metrics), **own.get(name, {}))) %}
{% endfor %}
{% do tables.update({name: those if name == 'recs' else those[0] if those else none}) %}
{% endfor %}
{% set title = requests | map(attribute='full_label') | join(', ') %}
{{ return(dict(dict(dict(common, **rules), **tables), properties=sqlrec.properties_by_rule(rules), title=title, kinds=sqlrec.group_by_rows(requests, rules, options.weights is not none), **lists)) }}
{% endmacro %}

-- The properties of the values of rules.
{% macro properties_by_rule(rules) %}
{% set properties = {} %}
{% for name in ['population', 'ties', 'duplicates', 'truth_duplicates', 'missing_items'] %}
{% do properties.update({name: sqlrec[name ~ '_properties']().get(rules[name], [])}) %}
{% endfor %}
{{ return(properties) }}
{% endmacro %}

-- The plan with its derived entries (sql/derived.sql).
{% macro with_derived(plan) %}
{% for part in plan.parts + [plan] %}{% do part.update(sqlrec.derived(part)) %}{% endfor %}
{{ return(plan) }}
{% endmacro %}

-- Merges rules: the call's rules first, then the convention's, then the defaults. A convention's
-- order applies to lists that have both score and rank.
{% macro resolve_rules(one, options, sources) %}
{% set limits, given = sqlrec.limits(), options.given %}
{% set rules = dict(dict(limits.rules, **one.rules), **given) %}
{% do rules.update({'truth_duplicates': rules.duplicates if rules.duplicates in sqlrec.truth_duplicates_properties() else 'error'}) if 'duplicates' in given or not rules.truth_duplicates %}
{#- Users of the default population have a relevant item. -#}
{% set open = 'population' not in given and 'population' not in one.rules %}
{% do rules.update({'population': 'judged'}) if given.get('undefined') in ['zero', 'one'] and open %}
{% set threshold = rules.relevance_threshold %}
{% do rules.update({'relevance_threshold': threshold | float}) if threshold == '-inf' %}
{% for source in sources.recs + sources.baseline if rules.order not in source.found and 'order' not in given %}
{% do rules.update({'order': none}) %}
{% endfor %}
{% do rules.update({'row_order': sqlrec.resolve_row_order(rules, options, sources)}) %}
{% if rules.ties in limits.by_relevance %}
{{ sqlrec.check_ties(one, rules) if 'recs' in one.reads }}
{% for name, odd, instead in limits.with_relevance if rules[name] == odd %}
{% do rules.update({name: instead}) %}
{% endfor %}
{% endif %}
{{ return(rules) }}
{% endmacro %}

-- The order of rows, or none if no rule reads it. If rows have no order, other rules replace the
-- rules that read it.
{% macro resolve_row_order(rules, options, sources) %}
{% set orders, standing = [], 'rows' if adapter.type() == 'duckdb' else none %}
{% for name, rule, instead in sqlrec.limits().without_rows if rules[name] == rule %}
{% set of_truth = name == 'truth_duplicates' %}
{% set tables = sources.truth if of_truth else sources.recs + sources.baseline %}
{#- All rows of a truth without grades are equal. -#}
{% set counts = tables and (not of_truth or sqlrec.is_graded(sources)) %}
{% set named = tables | selectattr('found.order_by', 'defined') | map(attribute='found.order_by') | list %}
{% set order = named[0] if tables and named | length == tables | length else standing %}
{% do rules.update({name: instead}) if order is none %}
{% do orders.append(order or 'none') if counts %}
{% if order is none and counts %}
{% set option = 'duplicates' if of_truth else name %}
{% set shown = {'rule': rule, 'instead': instead, 'dialect': adapter.type()} %}
{{ sqlrec.require(option not in options.given, 'no_row_order', table=tables[0].name, option=option, **shown) }}
{% set odd = sqlrec.message_text('other_rule', dict(shown, option=name)) %}
{% set warning = sqlrec.message_text('other_rules', dict(shown, odd=odd)) %}
{% do exceptions.warn(warning) if warning not in options.warned %}
{% do options.warned.append(warning) %}
{% endif %}
{% endfor %}
{{ return(orders | unique | join(', ') or none) }}
{% endmacro %}

-- True if the truth has grades. Boolean values are not grades.
{% macro is_graded(sources) %}{{ return(sources.truth != [] and sources.truth[0].table.floating.relevance) }}{% endmacro %}

-- Checks that a metric can be computed with ties that read the truth.
{% macro check_ties(one, rules) %}
{% set shown, known = {'ties': rules.ties, 'metric': one.metric.name}, sqlrec.limits().expected %}
{{ sqlrec.require('truth' in one.reads, 'ties_without_truth', **shown) }}
{{ sqlrec.require('extends_lists' not in sqlrec.missing_items_properties()[rules.missing_items], 'ties_below', **shown) }}
{% if rules.ties == 'expected' %}
{{ sqlrec.require(one.metric.name in known, 'ties_expected', known=known | join(', '), **shown) }}
{% for key, values in one.metric.no_expected_form.items() if one.settings[key] in values %}
{{ sqlrec.raise_error('ties_param', param=key, value=one.settings[key], **shown) }}
{% endfor %}
{% endif %}
{% endmacro %}

-- Merges the plans of several sets of rules; equal lists are ranked once.
{% macro merge_plans(plan, parts) %}
{% set limits, alike = sqlrec.limits(), {} %}
{% for part in parts %}
{% set ranked = [] %}
{% for name in limits.ranking %}{% do ranked.append(part[name]) %}{% endfor %}
{% do part.update({'name': 'part_' ~ loop.index}) %}
{#- If the order of lists depends on the truth, each part reads the truth with its own rules. -#}
{% if part.recs and not 'sorts_by_grade' in part.properties.ties %}
{% do part.update({'lists': alike.setdefault(ranked | string, 'lists_' ~ (alike | length + 1))}) %}
{% endif %}
{% endfor %}
{{ return(dict(plan, parts=parts)) }}
{% endmacro %}

-- The inputs that are read, each with the columns that metrics need; and the source of the policy
-- that logs evaluate: lists, or a column.
{% macro needed_columns(requests, options, seen) %}
{% set tables, table_columns, needed = sqlrec.tables(), {}, {} %}
{% set of_lists = requests | selectattr('reads.logs', 'defined') | selectattr('reads.recs', 'defined') | list %}
{% set target = none if not of_lists else 'target_probability' if options.recs is none else 'recs' %}
{% for one in requests %}
{#- Some rules read only the lists of users of the truth. -#}
{% set of_truth = 'recs' in one.reads and one.rules.get('list_users') == 'truth' %}
{% set truth = {'columns': one.reads.truth['columns'] if 'truth' in one.reads else [], 'required': true} %}
{% for table, need in dict(one.reads, **({'truth': truth} if of_truth else {})).items() %}
{{ sqlrec.require(
    not need.required or options[table] is not none, 'missing', table=table, metric=one.label,
    columns=(tables[table].always + need['columns']) | join(', '), fix="a relation, as in ref('" ~ table ~ "')"
) }}
{% do table_columns.update({table: table_columns.get(table, []) + need['columns']}) if options[table] is not none %}
{% endfor %}
{% endfor %}
{% set of_target = {'recs': ['user_id', 'item_id'], 'target_probability': ['target_probability']}.get(target, []) %}
{% set of_segments = ['user_id'] if options.user_columns else [] %}
{% do table_columns.update({'logs': table_columns.logs + of_target + of_segments}) if 'logs' in table_columns %}
{% if seen == 'drop' and ('recs' in table_columns or 'baseline' in table_columns) %}
{{ sqlrec.require(options.history is not none, 'seen') }}
{% do table_columns.setdefault('history', []) %}
{% endif %}
{% do table_columns.setdefault('users', []) if options.users is not none %}
{% do table_columns.setdefault('truth', []) if options.user_columns and options.truth is not none %}
{% for table in tables if table in table_columns %}{% do needed.update({table: table_columns[table] | unique | list}) %}{% endfor %}
{{ return({'columns': needed, 'target': target}) }}
{% endmacro %}

{% macro check_logs(requests, found, target, several) %}
{{ sqlrec.require(target != 'recs' or 'target_probability' not in found, 'two_targets') }}
{% for one in requests if 'logs' in one.reads %}
{% set of_lists = target != 'target_probability' or one.cutoff == sqlrec.limits().whole_list %}
{{ sqlrec.require(of_lists, 'cutoff_of_logs', metric=one.full_label, label=one.label) }}
{% set of_one = not several or 'expected_reward' not in one.reads.logs.columns %}
{{ sqlrec.require(of_one, 'one_policy', metric=one.label) }}
{% endfor %}
{% endmacro %}

-- The column that orders lists, and whether the other column has to agree.
{% macro list_order(sources, rules) %}
{% set usable, names = [], [rules.order] if rules.order else ['rank', 'score'] %}
{% if not sources %}{{ return({'order': 'score', 'check_order': false}) }}{% endif %}
{% for name in names if not sources | rejectattr('found.' ~ name, 'defined') | list %}
{% do usable.append(name) %}
{% endfor %}
{% for source in sources if not usable and not names | select('in', source.found) | list %}
{% set written = "column '" ~ names | reverse | join("' or '") ~ "'" %}
{{ sqlrec.raise_error('column_lacks', table=source.name, names=written, columns=source.kinds | join(', '), keys="'" ~ names[-1] ~ "': ...") }}
{% endfor %}
{% set ranked = sources | selectattr('found.rank', 'defined') | map(attribute='name') | join(', ') %}
{% set scored = sources | selectattr('found.score', 'defined') | map(attribute='name') | join(', ') %}
{{ sqlrec.require(usable, 'ranks_and_scores', ranked=ranked, scored=scored) }}
{{ return({'order': usable[0], 'check_order': usable | length == 2}) }}
{% endmacro %}

-- Groups metrics by their kind of rows, and cutoffs by their metric.
{% macro group_by_rows(requests, rules, weighted) %}
{% set limits, kinds, metrics = sqlrec.limits(), {}, {} %}
{% for one in requests %}
{% set metric = one.metric %}
{% set rows = 'expected' if rules.ties == 'expected' and metric.name in limits.expected else metric.rows %}
{% set blank = dict(sqlrec.blank().kind, name=rows, per_user=rows not in limits.whole_kinds) %}
{% set kind = kinds.setdefault(rows, blank) %}
{% if one.label not in metrics %}
{% do metrics.update({one.label: dict(
    metric.planned, label=one.label, column=sqlrec.value_column(one, metrics), macro=rows ~ '__' ~ metric.name,
    parts=[] if one.settings.get('average') == 'users' else metric.planned.parts, params=one.params, weighted=weighted, cutoffs=[], texts=[]
)}) %}
{% do kind.metrics.append(metrics[one.label]) %}
{% endif %}
{% do metrics[one.label].cutoffs.append(one.cutoff) %}
{% do metrics[one.label].texts.append(one.text) %}
{% do kind.update({
    'cutoffs': (kind.cutoffs + [one.cutoff]) | unique | list,
    'truth': kind.truth or 'truth' in one.reads,
    'weighed': kind.weighed or metric.weighed,
}) %}
{% endfor %}
{{ return(kinds.values() | list) }}
{% endmacro %}

-- The column of a metric's values. Its name is the label, or a number if another column has the
-- label or the label is not a valid name.
{% macro value_column(one, metrics) %}
{% set column = modules.re.sub('[^0-9A-Za-z]+', '_', one.label).strip('_') %}
{% set known = metrics.values() | map(attribute='column') | map('lower') | list + sqlrec.spelling_here().reserved %}
{% set fits = column | lower not in known and column | length <= sqlrec.limits().longest_column %}
{{ return(column if fits else one.metric.name ~ '_' ~ (metrics | length + 1)) }}
{% endmacro %}

-- A column that splits users into segments: of the users table, or else of the truth.
{% macro plan_segment(name, number, sources) %}
{{ return(sqlrec.column_of_users(name, 'segment_' ~ number, 'by', sources)) }}
{% endmacro %}

-- The column with the weights of users in means.
{% macro plan_weights(name, sources) %}
{% set weights = sqlrec.column_of_users(name, 'weight', 'weights', sources) %}
{% set source = sources[weights.table][0] %}
{% set kind = source.kinds.get(source.found[name]) %}
{{ sqlrec.require(kind not in ['VARCHAR', 'BOOLEAN'], 'weights_kind', name=name, kind=kind) }}
{{ return(weights) }}
{% endmacro %}

-- Checks that all metrics are means over users, which can be weighted.
{% macro check_weighted(plan, requests, weights) %}
{% set means = sqlrec.metrics_with_mean(dict(plan, mean='weighted')).split('\n') | map('trim') | list %}
{% for one in requests %}{{ sqlrec.require(one.label in means, 'not_weighted', weights=weights, metric=one.label) }}{% endfor %}
{% endmacro %}

{% macro column_of_users(caller_name, name, option, sources) %}
{% for source in sources.users + sources.truth if caller_name in source.found %}
{{ return({
    'caller_name': caller_name, 'name': name, 'label': sqlrec.identifier(caller_name),
    'column': sqlrec.identifier(source.found[caller_name], source.kinds), 'table': source.name,
    'in_result': true,
}) }}
{% endfor %}
{{ sqlrec.raise_error('by_lacks', option=option, name=caller_name, tables='truth or users: ' ~ sqlrec.with_columns(sources.truth + sources.users)) }}
{% endmacro %}

-- The values of a column of models; none if dbt can't query it.
{% macro model_names(table) %}
{% set models = [] %}
{% if sqlrec.relation_columns(table.relation) %}
{% for row in run_query('select distinct ' ~ table.columns.model ~ ' from ' ~ table.relation).rows if row[0] is not none %}
{% do models.append(row[0] | string) %}
{% endfor %}
{% endif %}
{{ return(models) }}
{% endmacro %}

-- The plan of a comparison, with its baseline, which must be one of several models.
{% macro plan_comparison(plan, baseline) %}
{% set named = plan.recs | map(attribute='model') | reject('none') | list %}
{{ sqlrec.require(baseline is not none and baseline | string, 'baseline_missing') }}
{{ sqlrec.require('model' in plan.list_keys and named | length != 1, 'one_model') }}
{% set models = named or sqlrec.model_names(plan.recs[0]) %}
{{ sqlrec.check_known('not_a_model', baseline | string, models, baseline=baseline) if models }}
{{ sqlrec.check_segment_names(plan.by | map(attribute='caller_name'), sqlrec.limits().compared) }}
{% set of_sums = sqlrec.is_function_of_sums(plan) | map(attribute='label') | list %}
{% for kind in plan.kinds %}
{% for metric in kind.metrics %}
{% set of_means = metric.label in of_sums or sqlrec.kind_of_mean(metric) == 'plain' %}
{{ sqlrec.require(kind.per_user and of_means, 'not_of_sums', metric=metric.label) }}
{% endfor %}
{% endfor %}
{% for part in [plan] + plan.parts %}{% do part.update({'terms': of_sums | length > 0}) %}{% endfor %}
{{ return(dict(plan, baseline_model=sqlrec.text(baseline | string))) }}
{% endmacro %}
