-- What people ask for, read as sqlrec/catalogue/requests.py reads it in Python.

-- Metrics as people write them: a text or a list of texts, as in 'ndcg@10 map(divide_by=hits)@5'.
{% macro parse_metrics(metrics, convention='sqlrec', has_catalog=false) %}
{{ sqlrec.require(metrics is iterable and metrics is not mapping, 'metrics', metrics=metrics) }}
{% set catalogue, asked = dict(sqlrec.catalogue(), **adapter.dispatch('own_metrics', 'sqlrec')()), {} %}
{% set known = {'metrics': catalogue, 'libraries': sqlrec.conventions(), 'convention': convention, 'has_catalog': has_catalog} %}
{% for part in sqlrec.asked_apart([metrics] if metrics is string else metrics) %}
{% set one = sqlrec.read_metric(part, known) %}
{% set first = asked.setdefault(one.spelled, one) %}
{{ sqlrec.require(first is sameas one, 'asked_twice', metric=one.spelled, first=first.text, second=one.text) }}
{% endfor %}
{{ sqlrec.require(asked, 'no_metric') }}
{{ return(asked.values() | list) }}
{% endmacro %}

-- Metrics of one's own: a project that has some overrides this by a file of `sqlrec dbt-metrics`.
{% macro default__own_metrics() %}{{ return({}) }}{% endmacro %}

-- Texts taken apart: spaces and commas part metrics, outside of brackets; a further cutoff is the metric once
-- more, and a preset stands for several.
{% macro asked_apart(texts) %}
{% set limits, parts = sqlrec.limits(), [] %}
{% set shape = '((?:[^\\s,(]|\\([^)]*\\)?)+)((?:\\s*,\\s*(?:[0-9]+|all)(?=[\\s,]|$))*)' %}
{% for text in texts %}
{{ sqlrec.require(text is string, 'not_text', metric=text) }}
{% for part, cutoffs in modules.re.findall(shape, text) %}
{{ sqlrec.require(part.split('@')[0] != 'all', 'everything', text=part, why='a model has the same rows whatever columns its inputs get') }}
{{ sqlrec.require(part not in limits.presets or not cutoffs, 'cutoff_lacks', text=part, or_all='') }}
{% set part = part ~ '@' ~ limits.usual_cutoff if part in limits.presets else part %}
{% set name = part[:part.rfind('@') + 1] %}
{% for k in [part[name | length:]] + modules.re.findall('\\w+', cutoffs) %}
{% for metric in limits.presets.get(name[:-1], [name[:-1]]) %}{% do parts.append(metric ~ '@' ~ k if name else part) %}{% endfor %}
{% endfor %}
{% endfor %}
{% endfor %}
{{ return(parts) }}
{% endmacro %}

-- One metric: what the catalogue says of it, its label, the parameters that are not default, its rules, the place
-- that its cutoff is, the inputs that it reads if they are given, and what was written.
{% macro read_metric(text, known) %}
{% set parts = modules.re.findall('^([\\w-]+)\\s*(?:\\(([^()]*)\\))?\\s*(?:@\\s*(\\w+))?$', text) %}
{{ sqlrec.require(parts, 'invalid', metric=text) }}
{% set asked_name, asked_params, asked_cutoff = parts[0] %}
{% set name, metrics = asked_name | lower | replace('-', '_'), known.metrics %}
{{ sqlrec.require(name in metrics, 'unknown', metric=asked_name, nearest=sqlrec.name_to_write(name, metrics)) }}
{#- An alias has the name alone. -#}
{% set metric = dict(sqlrec.blank().metric, **metrics[metrics[name].name]) %}
{% set written = sqlrec.read_params(text, metric, asked_params or '') %}
{% set own = {'convention': written.pop('convention')} if 'convention' in written else {} %}
{% set library = own.get('convention', known.convention) %}
{#- Metrics of exposure count the items of the catalog, where there is one. -#}
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
{% set place = sqlrec.read_cutoff(text, asked_cutoff, metric, settings) %}
{% for table, columns in metric.needs.items() %}
{% set key, values = metric.if_param.get(table, [none, []]) %}
{% set required = settings[key] in values if key else table not in metric.if_given %}
{#- With all of some values it is not needed. -#}
{% set spared = metric.unless.get(table, {}) %}
{% set required = required and (not spared or dict(settings, **spared) != settings) %}
{% do reads.update({table: {'columns': columns, 'required': required}}) if required or table in metric.if_given %}
{% endfor %}
{{ return({
    'metric': metric, 'label': label, 'spelled': label ~ '@' ~ ('all' if place == sqlrec.limits().whole_list else place),
    'params': params, 'settings': settings, 'exponential': 'exponential' in settings.values(), 'rules': entry.rules,
    'place': place, 'reads': reads, 'text': modules.re.sub('\\s', ' ', text) | trim,
}) }}
{% endmacro %}

-- What to write for an unknown name, of which a cutoff may be a part.
{% macro name_to_write(name, metrics) %}
{% if name in metrics %}{{ return('') }}{% endif %}
{% set limits = sqlrec.limits() %}
{% set apart = modules.re.findall('^' ~ limits.cutoff_in_name ~ '$', name) if name not in limits.forms else [] %}
{% set base, k = apart[0] if apart else [name, ''] %}
{% set form = limits.forms.get(base, base) %}
{% set plain = form.split('(')[0] %}
{% if plain not in metrics %}
{{ return(sqlrec.nearest(base, metrics, 'known are ' ~ metrics.values() | map(attribute='name') | unique | join(', '))) }}
{% endif %}
{% set has_cutoff = k and dict(sqlrec.blank().metric, **metrics[metrics[plain].name]).cutoff != 'none' %}
{{ return('write ' ~ form ~ ('@' ~ ('10' if k == 'k' else k) if has_cutoff else '')) }}
{% endmacro %}

-- A library's form of a metric: its parameters and rules, as far as they are not the defaults.
{% macro library_entry(convention, name, libraries) %}
{% set libraries = dict(libraries, sqlrec={'rules': {}, 'metrics': {name: {'params': {}, 'rules': {}}}}) %}
{{ sqlrec.check_known('convention', convention, libraries, convention=convention) }}
{% set usual, metrics = libraries[convention].rules, libraries[convention].metrics %}
{{ sqlrec.require(
    name in metrics, 'not_in_convention', metric=name, convention=convention, known=metrics | sort | join(', ')
) }}
{{ return({'params': metrics[name].params, 'rules': dict(usual, **metrics[name].rules)}) }}
{% endmacro %}

-- The parameters that are written, each of which has a value that it may have.
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
{% set safe = '(?!.*\\$\\{)[^\'"\\\\`\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]+' %}
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
{#- What is not a number is read as one beyond all limits. -#}
{% set is_number = modules.re.fullmatch('[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?', written | lower) %}
{% set value = written | float if is_number else 1.7e308 %}
{% set fits = limits.least <= value and value <= limits.most and (not limits.step or value % limits.step == 0) %}
{{ sqlrec.require(fits, 'param_number', limits=limits.words, **shown) }}
{{ return(value | int if value == value | int else value) }}
{% endmacro %}

-- The cutoff as a place; whole lists are those up to a place that no list reaches.
{% macro read_cutoff(text, written, metric, settings) %}
{% set rule, all, whole = metric.cutoff, 'all' in metric.cutoff, written in ['', none, 'all'] %}
{% set by_k = [] %}
{% for key, value in settings.items() if value == 'k' %}{% do by_k.append(' with ' ~ key ~ '=k') %}{% endfor %}
{{ sqlrec.require(rule != 'none' or not written, 'cutoff_none', text=text, metric=metric.name, k=written) }}
{% set or_all = ', or ' ~ text ~ '@all for whole lists' if all else '' %}
{{ sqlrec.require(written or rule in ['none', 'optional'], 'cutoff_lacks', text=text, or_all=or_all) }}
{% set fits = not whole or rule == 'none' or rule != 'a number' and not by_k %}
{{ sqlrec.require(fits, 'cutoff_number', text=text, metric=metric.name, why=by_k | join) }}
{% set fits = whole or modules.re.fullmatch('[0-9]{1,7}', written) and 1 <= written | int and written | int <= metric.most %}
{{ sqlrec.require(fits, 'cutoff', text=text, most=metric.most, or_all=', or all' if all else '') }}
{{ return(sqlrec.limits().whole_list if whole else written | int) }}
{% endmacro %}
