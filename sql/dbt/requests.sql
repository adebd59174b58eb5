-- Parses requests for metrics, like sqlrec/catalogue/requests.py in Python.

-- Requests for metrics: a string or a list of strings, such as 'ndcg@10 map(divide_by=hits)@5'.
{% macro parse_metrics(metrics, convention='sqlrec', has_catalog=false, k=none) %}
{{ sqlrec.require(metrics is iterable and metrics is not mapping, 'metrics', metrics=metrics) }}
{% set catalogue, requests = dict(sqlrec.catalogue(), **adapter.dispatch('own_metrics', 'sqlrec')()), {} %}
{% set known = {'metrics': catalogue, 'libraries': sqlrec.conventions(), 'convention': convention, 'has_catalog': has_catalog} %}
{% for part in sqlrec.split_requests([metrics] if metrics is string else metrics, catalogue, sqlrec.read_cutoffs(k)) %}
{% set one = sqlrec.read_metric(part, known) %}
{% set first = requests.setdefault(one.full_label, one) %}
{{ sqlrec.require(first is sameas one, 'duplicate_metric', metric=one.full_label, first=first.text, second=one.text) }}
{% endfor %}
{{ sqlrec.require(requests, 'no_metric') }}
{{ return(requests.values() | list) }}
{% endmacro %}

-- Custom metrics: a project overrides this macro with a file of `sqlrec dbt-metrics`.
{% macro default__own_metrics() %}{{ return({}) }}{% endmacro %}

-- Splits texts into metrics, at spaces and commas outside of brackets. Each additional cutoff repeats the metric, and a
-- preset is replaced by its metrics. Metrics without a cutoff get the default cutoffs.
{% macro split_requests(texts, catalogue, usual) %}
{% set limits, parts = sqlrec.limits(), [] %}
{% set shape = '((?:[^\\s,(]|\\([^)]*\\)?)+)((?:\\s*,\\s*(?:[0-9]+|all)(?=[\\s,]|$))*)' %}
{% for text in texts %}
{{ sqlrec.require(text is string, 'not_text', metric=text) }}
{% for part, cutoffs in modules.re.findall(shape, text) %}
{{ sqlrec.require(part.split('@')[0] != 'all', 'everything', text=part, why='a model has the same rows whatever columns its inputs get') }}
{% set plain = part.split('(')[0] | lower | replace('-', '_') %}
{% set entry = dict(sqlrec.blank().metric, **catalogue[catalogue[plain].name]) if plain in catalogue else {'cutoff': 'none'} %}
{% if usual and '@' not in part and (part in limits.presets or entry.cutoff != 'none') %}
{% set part, cutoffs = part ~ '@' ~ usual[0], usual[1:] | join(',') %}
{% endif %}
{{ sqlrec.require(part not in limits.presets or not cutoffs, 'cutoff_missing', text=part, or_all='') }}
{% set part = part ~ '@' ~ limits.usual_cutoff if part in limits.presets else part %}
{% set name = part[:part.rfind('@') + 1] %}
{% for k in [part[name | length:]] + modules.re.findall('\\w+', cutoffs) %}
{% for metric in limits.presets.get(name[:-1], [name[:-1]]) %}{% do parts.append(metric ~ '@' ~ k if name else part) %}{% endfor %}
{% endfor %}
{% endfor %}
{% endfor %}
{{ return(parts) }}
{% endmacro %}

-- The default cutoffs: a number, a string such as '5,10', or a list.
{% macro read_cutoffs(k) %}
{% if k is none %}{{ return([]) }}{% endif %}
{% set texts = modules.re.findall('[^\\s,]+', k | string if k is string or k is number else k | join(',')) %}
{% for text in texts or [''] %}
{{ sqlrec.require(modules.re.fullmatch('[0-9]{1,7}|all', text), 'default_cutoff', k=k) }}
{% endfor %}
{{ return(texts) }}
{% endmacro %}

-- One metric: its catalogue entry, its label, the parameters that differ from the defaults, its
-- rules, its cutoff, the inputs that it reads, and the text of the request.
{% macro read_metric(text, known) %}
{% set parts = modules.re.findall('^([\\w-]+)\\s*(?:\\(([^()]*)\\))?\\s*(?:@\\s*(\\w+))?$', text) %}
{{ sqlrec.require(parts, 'invalid', metric=text) }}
{% set request_name, request_params, request_cutoff = parts[0] %}
{% set name, metrics = request_name | lower | replace('-', '_'), known.metrics %}
{{ sqlrec.require(name in metrics, 'unknown', metric=request_name, nearest=sqlrec.name_to_write(name, metrics)) }}
{#- The entry of an alias is only the metric's name. -#}
{% set metric = dict(sqlrec.blank().metric, **metrics[metrics[name].name]) %}
{% set written = sqlrec.read_params(text, metric, request_params or '') %}
{% set own = {'convention': written.pop('convention')} if 'convention' in written else {} %}
{% set library = own.get('convention', known.convention) %}
{#- Metrics of exposure count the items of the catalog if it is passed. -#}
{% if known.has_catalog and library == 'sqlrec' and metric.defaults.get('items') == 'recommended' and 'items' not in written %}
{% do written.update(items='catalog') %}
{% endif %}
{% set entry = sqlrec.library_entry(library, metric.name, known.libraries) %}
{% set usual = dict(metric.defaults, **entry.params) %}
{% set settings, params, shown, reads = dict(usual, **written), {}, own.copy(), {} %}
{% for key, value in settings.items() %}
{% do params.update({key: value}) if key in metric.texts or value != metric.defaults[key] %}
{% do shown.update({key: value}) if key in metric.texts or value != usual[key] %}
{% endfor %}
{% set shown = shown.items() | map('join', '=') | join(', ') %}
{% set label = metric.name ~ ('(' ~ shown ~ ')' if shown else '') %}
{% set cutoff = sqlrec.read_cutoff(text, request_cutoff, metric, settings) %}
{% for table, columns in metric.needs.items() %}
{% set key, values = metric.if_param.get(table, [none, []]) %}
{% set required = settings[key] in values if key else table not in metric.if_given %}
{#- These parameter values together make the input unnecessary. -#}
{% set spared = metric.unless.get(table, {}) %}
{% set required = required and (not spared or dict(settings, **spared) != settings) %}
{% do reads.update({table: {'columns': columns, 'required': required}}) if required or table in metric.if_given %}
{% endfor %}
{{ return({
    'metric': metric, 'label': label, 'full_label': label ~ '@' ~ ('all' if cutoff == sqlrec.limits().whole_list else cutoff),
    'params': params, 'settings': settings, 'exponential': 'exponential' in settings.values(), 'rules': entry.rules,
    'cutoff': cutoff, 'reads': reads, 'text': modules.re.sub('\\s', ' ', text) | trim,
}) }}
{% endmacro %}

-- The suggestion for an unknown name, which may include a cutoff.
{% macro name_to_write(name, metrics) %}
{% if name in metrics %}{{ return('') }}{% endif %}
{% set limits = sqlrec.limits() %}
{% set apart = modules.re.findall('^' ~ limits.cutoff_in_name ~ '$', name) if name not in limits.forms else [] %}
{% set base, k = apart[0] if apart else [name, ''] %}
{% set form = limits.forms.get(base, base) %}
{% set plain = form.split('(')[0] %}
{% if plain not in metrics %}
{{ return(sqlrec.nearest(base, metrics, 'choose from ' ~ metrics.values() | map(attribute='name') | unique | join(', '))) }}
{% endif %}
{% set has_cutoff = k and dict(sqlrec.blank().metric, **metrics[metrics[plain].name]).cutoff != 'none' %}
{{ return('write ' ~ form ~ ('@' ~ ('10' if k == 'k' else k) if has_cutoff else '')) }}
{% endmacro %}

-- A library's form of a metric: the parameters and rules that differ from the defaults.
{% macro library_entry(convention, name, libraries) %}
{% set libraries = dict(libraries, sqlrec={'rules': {}, 'metrics': {name: {'params': {}, 'rules': {}}}}) %}
{{ sqlrec.check_known('convention', convention, libraries, convention=convention) }}
{% set usual, metrics = libraries[convention].rules, libraries[convention].metrics %}
{{ sqlrec.require(
    name in metrics, 'not_in_convention', metric=name, convention=convention, known=metrics | sort | join(', ')
) }}
{{ return({'params': metrics[name].params, 'rules': dict(usual, **metrics[name].rules)}) }}
{% endmacro %}

-- The parameters in a request, with checked values.
{% macro read_params(text, metric, written) %}
{% set given, known = {}, metric.defaults | list %}
{% for part in written.split(',') if part | trim %}
{% set key, equals, value = modules.re.findall('(?s)^([^=]*)(=?)(.*)$', part)[0] | map('trim') %}
{% set shown = {'metric': metric.name, 'param': key, 'value': value} %}
{{ sqlrec.require(equals, 'param', text=text, param=key) }}
{{ sqlrec.require(key not in given, 'param_twice', text=text, param=key) }}
{% set of_cutoff = key in sqlrec.limits().cutoff_params and key not in known and metric.cutoff != 'none' %}
{{ sqlrec.require(not of_cutoff, 'param_unknown', nearest='write ' ~ metric.name ~ '@' ~ value, **shown) }}
{{ sqlrec.check_known('param_unknown', key, known, 'it has none' if not known, **shown) if key != 'convention' }}
{% set safe = '(?!.*\\$\\{)[^\\x22\\x27\\x5c\\x60\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]+' %}
{{ sqlrec.require(key not in metric.texts or modules.re.fullmatch(safe, value), 'param_text', **shown) }}
{% set choices = metric.choices.get(key, [value]) %}
{{ sqlrec.require(value in choices, 'param_choice', known=choices | join(', '), **shown) }}
{% do given.update({key: sqlrec.read_number(value, metric.numbers[key], shown) if key in metric.numbers else value}) %}
{% endfor %}
{% for key in metric.texts %}
{{ sqlrec.require(key in given, 'param_lacks', text=text, metric=metric.name, param=key) }}
{% endfor %}
{{ return(given) }}
{% endmacro %}

{% macro read_number(written, limits, shown) %}
{#- A string that is not a number is read as a number beyond all limits. -#}
{% set is_number = modules.re.fullmatch('[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?', written | lower) %}
{% set value = written | float if is_number else 1.7e308 %}
{% set fits = limits.least <= value and value <= limits.most and (not limits.step or value % limits.step == 0) %}
{{ sqlrec.require(fits, 'param_number', limits=limits.words, **shown) }}
{{ return(value | int if value == value | int else value) }}
{% endmacro %}

-- The cutoff as a number. For whole lists, it is a number that no list reaches.
{% macro read_cutoff(text, written, metric, settings) %}
{% set rule, all, whole = metric.cutoff, 'all' in metric.cutoff, written in ['', none, 'all'] %}
{% set by_k = [] %}
{% for key, value in settings.items() if value == 'k' %}{% do by_k.append(' with ' ~ key ~ '=k') %}{% endfor %}
{{ sqlrec.require(rule != 'none' or not written, 'cutoff_none', text=text, metric=metric.name, k=written) }}
{% set or_all = ', or ' ~ text ~ '@all for whole lists' if all else '' %}
{{ sqlrec.require(written or rule in ['none', 'optional'], 'cutoff_missing', text=text, or_all=or_all) }}
{% set fits = not whole or rule == 'none' or rule != 'a number' and not by_k %}
{{ sqlrec.require(fits, 'cutoff_number', text=text, metric=metric.name, why=by_k | join) }}
{% set fits = whole or modules.re.fullmatch('[0-9]{1,7}', written) and 1 <= written | int and written | int <= metric.most %}
{{ sqlrec.require(fits, 'cutoff', text=text, most=metric.most, or_all=', or all' if all else '') }}
{{ return(sqlrec.limits().whole_list if whole else written | int) }}
{% endmacro %}
