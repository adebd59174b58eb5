-- What people call in dbt. Options, defaults and meanings are those of sqlrec.evaluate in Python, and so
-- is the statement:
--
--   sqlrec.evaluate('ndcg@10 map@5', recs=ref('recs'), truth=ref('truth'), by='country')
--
-- What may be asked stands in catalogue.sql. The macros below that return something else than text run
-- in dbt alone; Python has them in sqlrec/plan.py.

-- The mean over users: a row per model, segment, metric and cutoff.
{% macro evaluate(metrics) %}
{{- sqlrec.tidy(sqlrec.evaluation(sqlrec.plan(metrics, kwargs))) -}}
{% endmacro %}

-- The values before the mean: a row per user too.
{% macro per_user(metrics) %}
{{- sqlrec.tidy(sqlrec.user_evaluation(sqlrec.plan(metrics, kwargs))) -}}
{% endmacro %}

-- The mean difference to the model `baseline`, user by user, with its interval.
{% macro compare(metrics, baseline=none) %}
{{- sqlrec.tidy(sqlrec.comparison(sqlrec.paired_plan(sqlrec.plan(metrics, kwargs), baseline))) -}}
{% endmacro %}

-- The plan: a dict whose entries sqlrec/plan.py lists. Columns are not looked at: what is needed is
-- there, and what `columns` names.
{% macro plan(metrics, given) %}
{% set limits = sqlrec.limits() %}
{% set options = sqlrec.read_options(given) %}
{% set asked = sqlrec.read_asked(metrics) %}
{% set columns = options.columns %}
{% set by = options.by | list %}
{% set models = options.models %}
{% set named_models = options.named_models %}

{% set ranked = 'rank' in columns or 'recs.rank' in columns %}
{% set scored = 'score' in columns or 'recs.score' in columns %}
{% set ordered = options.order or ('rank' if ranked and not scored else 'score') %}
{% set grouped = [] %}
{% for name in by if 'truth.' ~ name not in columns %}{% set _ = grouped.append(name) %}{% endfor %}
{% set used = [] %}
{% set found = {
    'recs': sqlrec.find(
        'recs', ['user_id', 'item_id', ordered],
        ['score', 'rank'] + ([] if named_models else ['model']), columns, used
    ),
    'truth': sqlrec.find(
        'truth', ['user_id', 'item_id'] + (grouped if options.users is none else []),
        ['relevance'] + by, columns, used
    ),
    'users': {} if options.users is none else sqlrec.find(
        'users', ['user_id'] + grouped, by, columns, used
    ),
} %}
{% for key, column in columns.items() if key not in used %}
{{ sqlrec.refuse("columns['" ~ key ~ "']='" ~ column ~ "': no input has this column") }}
{% endfor %}
{% set order = options.order or ('rank' if 'rank' in found.recs else 'score') %}
{% set graded = 'relevance' in found.truth %}
{% if options.relevance_threshold is not none and not graded %}
{{ sqlrec.refuse(
    'relevance_threshold=' ~ options.relevance_threshold ~ " needs a column 'relevance' with numbers "
    ~ "in truth. Name yours: columns={'relevance': ...}"
) }}
{% endif %}

{% set recs = [] %}
{% for model, relation in models.items() %}
{% set source = sqlrec.source(relation, found.recs) %}
{% set _ = source.update({'model': model if named_models else none}) %}
{% if named_models %}{% set _ = source['columns'].update({'model': sqlrec.text(model)}) %}{% endif %}
{% set _ = recs.append(source) %}
{% endfor %}
{% set segments = [] %}
{% for name in by %}
{% set table = 'users' if name in found.users else 'truth' %}
{% set _ = segments.append({
    'asked': name,
    'name': 'segment_' ~ loop.index,
    'label': sqlrec.identifier(name),
    'column': sqlrec.identifier(found[table][name]),
    'table': table,
}) %}
{% endfor %}
{% set metrics = sqlrec.metrics_asked(asked) %}
{% set cutoffs = asked | map(attribute='place') | unique | sort | list %}
{% set numbers = cutoffs | reject('equalto', limits.whole_list) | list %}
{{ return({
    'title': asked | map(attribute='spelled') | join(', '),
    'metrics': metrics,
    'keys': ['model', 'user_id'] if named_models or 'model' in found.recs else ['user_id'],
    'by': segments,
    'recs': recs,
    'truth': sqlrec.source(options.truth, found.truth),
    'users': none if options.users is none else sqlrec.source(options.users, found.users),
    'cutoffs': cutoffs,
    'largest_k': numbers[-1] if numbers else none,
    'depth': none if limits.whole_list in cutoffs else cutoffs[-1],
    'whole_list': limits.whole_list,
    'past_every_cutoff': limits.past_every_cutoff,
    'graded': graded,
    'check_order': options.order is none and 'rank' in found.recs and 'score' in found.recs,
    'population': options.population,
    'order': order,
    'ties': options.ties,
    'duplicates': options.duplicates,
    'null_scores': options.null_scores if order == 'score' else 'error',
    'relevance_threshold': options.relevance_threshold,
    'largest_relevance': limits.largest_exponent
        if 'exponential' in (metrics | map(attribute='params') | map('string') | join)
        else limits.largest_relevance,
}) }}
{% endmacro %}

-- The plan of a comparison: it names the baseline, which has to be one of several models.
{% macro paired_plan(plan, baseline) %}
{% set models = plan.recs | map(attribute='model') | list %}
{% if baseline is none or not baseline | string %}
{{ sqlrec.refuse("baseline is missing: name the model to compare with, as in baseline='pop'") }}
{% elif 'model' not in plan['keys'] or (models | length == 1 and models[0] is not none) %}
{{ sqlrec.refuse(
    "there is one model, and a comparison needs two: give recs={'als': ..., 'pop': ...}, "
    ~ "or name the column that tells models apart, columns={'model': 'model'}"
) }}
{% elif models[0] is not none and baseline not in models %}
{{ sqlrec.refuse("baseline='" ~ baseline ~ "' is no model of recs: known are " ~ models | join(', ')) }}
{% endif %}
{% set _ = plan.update({'baseline': sqlrec.text(baseline | string)}) %}
{{ return(plan) }}
{% endmacro %}

-- All options, checked: what is not given has its default.
{% macro read_options(given) %}
{% set rules = sqlrec.rules() %}
{% set options = {
    'recs': none, 'truth': none, 'users': none, 'by': [], 'columns': {}, 'relevance_threshold': none
} %}
{% for name, allowed in rules.items() %}{% set _ = options.update({name: allowed[0]}) %}{% endfor %}
{% for name in given if name not in options %}
{{ sqlrec.refuse("unknown option '" ~ name ~ "': known are " ~ options | sort | join(', ')) }}
{% endfor %}
{% set _ = options.update(given) %}
{% for name, allowed in rules.items() if options[name] not in allowed %}
{{ sqlrec.refuse(
    name ~ "='" ~ options[name] ~ "': known are " ~ allowed | select('string') | sort | join(', ')
) }}
{% endfor %}
{% set threshold = options.relevance_threshold %}
{% set largest = sqlrec.limits().largest_relevance %}
{% if threshold is not none and (threshold is boolean or threshold is not number or not -largest <= threshold <= largest) %}
{{ sqlrec.refuse("relevance_threshold='" ~ threshold ~ "': it is a number of at most " ~ largest) }}
{% endif %}
{#- A relation is a mapping to Jinja, but no dict: it is printed and nothing else. -#}
{% for name in ['recs', 'truth'] if options[name] | string in ['None', 'none', '', '{}'] %}
{{ sqlrec.refuse(name ~ ' is missing: give a relation, as in ' ~ name ~ "=ref('" ~ name ~ "')") }}
{% endfor %}
{% set named_models = (options.recs | string).startswith('{') %}
{% set models = options.recs if named_models else {'recs': options.recs} %}
{% for model in models if not (model is string and model) %}
{{ sqlrec.refuse("recs has a model '" ~ model ~ "': a model's name is text") }}
{% endfor %}
{% set _ = options.update({'models': models, 'named_models': named_models}) %}
{% set _ = options.update({'by': [options.by] if options.by is string else options.by}) %}
{% set _ = options.update({'columns': options.columns or {}}) %}
{{ sqlrec.check_by(options.by) }}
{{ sqlrec.check_columns(options.columns, options.by) }}
{{ return(options) }}
{% endmacro %}

{% macro check_by(by) %}
{% if by is not iterable %}
{{ sqlrec.refuse('by=' ~ by ~ ': give names of columns') }}
{% endif %}
{% for name in by if name is not string or by | select('equalto', name) | list | length > 1 %}
{{ sqlrec.refuse('by=' ~ by ~ ': name each column once, as text') }}
{% endfor %}
{% for name in by if name in sqlrec.limits().taken %}
{{ sqlrec.refuse(
    "by='" ~ name ~ "': the result has a column of this name already; call it otherwise: "
    ~ "by=['segment'], columns={'segment': '" ~ name ~ "'}"
) }}
{% endfor %}
{% endmacro %}

{% macro check_columns(columns, by) %}
{% set known = ['user_id', 'item_id', 'score', 'rank', 'model', 'relevance'] + by | list %}
{% if columns is not mapping %}
{{ sqlrec.refuse('columns=' ~ columns ~ ': give a dict, your names by ours') }}
{% endif %}
{% for key, column in columns.items() %}
{% set name = key.split('.')[-1] %}
{% set table = key.split('.')[:-1] | join('.') %}
{% if table not in ['', 'recs', 'truth', 'users'] %}
{{ sqlrec.refuse("columns['" ~ key ~ "']: no input '" ~ table ~ "': known are recs, truth, users") }}
{% elif name not in known %}
{{ sqlrec.refuse(
    "columns['" ~ key ~ "']: no column '" ~ name ~ "': known are " ~ known | sort | join(', ')
) }}
{% elif column is not string %}
{{ sqlrec.refuse("columns['" ~ key ~ "']=" ~ column ~ ": a column's name is text") }}
{% endif %}
{% endfor %}
{% endmacro %}

-- The caller's columns for our names in a table: those that it needs, and others that are named.
{% macro find(table, needed, others, columns, used) %}
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
{{ return(found) }}
{% endmacro %}

{% macro source(relation, found) %}
{% set columns = {} %}
{% for name in ['user_id', 'item_id', 'score', 'rank', 'model', 'relevance'] %}
{% set _ = columns.update({name: sqlrec.identifier(found[name]) if name in found else none}) %}
{% endfor %}
{{ return({
    'relation': relation,
    'unnest': false,
    'columns': columns,
    'floating': {'score': 'score' in found, 'relevance': 'relevance' in found},
}) }}
{% endmacro %}

-- Without the empty lines that macros leave, and with one after each named query.
{% macro tidy(sql) -%}
{%- for line in sql.splitlines() if line | trim -%}
{{ line.rstrip() }}{{ '\n' if line.rstrip() in [')', '),'] else '' }}{{ '' if loop.last else '\n' }}
{%- endfor -%}
{%- endmacro %}

{% macro refuse(message) %}{{ exceptions.raise_compiler_error(message) }}{% endmacro %}
