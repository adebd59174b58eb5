-- What people ask for, read as sqlrec/catalogue/requests.py reads it in Python.

-- Metrics as people write them: a text or a list of texts, as in 'ndcg@10 map(divide_by=hits)@5'.
{% macro parse_metrics(metrics, convention='sqlrec') %}
{{ sqlrec.require(metrics is iterable and metrics is not mapping, 'metrics', metrics=metrics) }}
{% set own = adapter.dispatch('own_metrics', 'sqlrec')() %}
{% set catalogue = dict(sqlrec.catalogue(), **own) %}
{% set presets = sqlrec.limits().presets %}
{#- Spaces and commas part metrics, outside of brackets; a further cutoff is the metric once more. -#}
{% set shape = '((?:[^\\s,(]|\\([^)]*\\)?)+)((?:\\s*,\\s*(?:[0-9]+|all)(?=[\\s,]|$))*)' %}
{% set parts = [] %}
{% for text in ([metrics] if metrics is string else metrics) %}
{{ sqlrec.require(text is string, 'not_text', metric=text) }}
{% for part, cutoffs in modules.re.findall(shape, text) %}
{{ sqlrec.require(part.split('@')[0] != 'all', 'everything', text=part, why='a model has the same rows whatever columns its inputs get') }}
{{ sqlrec.require(part not in presets or not cutoffs, 'cutoff_lacks', text=part, or_all='') }}
{% set part = part ~ '@' ~ sqlrec.limits().usual_cutoff if part in presets else part %}
{% set name = part[:part.rfind('@') + 1] %}
{% for k in [part[name | length:]] + modules.re.findall('\\w+', cutoffs) %}
{% for metric in presets.get(name[:-1], [name[:-1]]) %}
{% do parts.append(metric ~ '@' ~ k if name else part) %}
{% endfor %}
{% endfor %}
{% endfor %}
{% endfor %}
{% set asked = {} %}
{% for part in parts %}
{% set one = sqlrec.read_metric(part, catalogue, convention) %}
{% set first = asked.setdefault(one.spelled, one) %}
{{ sqlrec.require(first is sameas one, 'asked_twice', metric=one.spelled, first=first.text, second=one.text) }}
{% endfor %}
{{ sqlrec.require(asked, 'no_metric') }}
{{ return(asked.values() | list) }}
{% endmacro %}

-- Metrics of one's own: a project that has some overrides this by a file of `sqlrec dbt-metrics`.
{% macro default__own_metrics() %}{{ return({}) }}{% endmacro %}

-- One metric: what the catalogue says of it, its label, the parameters that are not default and all of them, its
-- rules, the place that its cutoff is, the inputs that it reads if they are given, and what was written.
{% macro read_metric(text, catalogue, convention) %}
{% set shape = '^([\\w-]+)\\s*(?:\\(([^()]*)\\))?\\s*(?:@\\s*(\\w+))?$' %}
{% set parts = modules.re.findall(shape, text) %}
{{ sqlrec.require(parts, 'invalid', metric=text) }}
{% set asked_name, asked_params, asked_cutoff = parts[0] %}
{% set names = sqlrec.metric_names() %}
{% for metric in catalogue.values() if metric.planned.own is defined %}
{% for own in metric.names %}{% do names.update({own: metric.name}) %}{% endfor %}
{% endfor %}
{% set name = asked_name | lower | replace('-', '_') %}
{% set known = 'known are ' ~ catalogue | join(', ') %}
{{ sqlrec.check_known('unknown', name, names, known, metric=asked_name) }}
{% set metric = catalogue[names[name]] %}
{% set written = sqlrec.read_params(text, metric, asked_params or '') %}
{% set own = {'convention': written.pop('convention')} if 'convention' in written else {} %}
{% set entry = sqlrec.library_entry(own.get('convention', convention), metric.name) %}
{% set usual = dict(metric.defaults, **entry.params) %}
{% set settings = dict(usual, **written) %}
{% set params, shown = {}, own.copy() %}
{% for key, value in settings.items() %}
{% if key in metric.texts or value != metric.defaults[key] %}{% do params.update({key: value}) %}{% endif %}
{% if key in metric.texts or value != usual[key] %}{% do shown.update({key: value}) %}{% endif %}
{% endfor %}
{% set shown = shown.items() | map('join', '=') | join(', ') %}
{% set label = metric.name ~ ('(' ~ shown ~ ')' if shown else '') %}
{% set place = sqlrec.read_cutoff(text, asked_cutoff, metric, settings) %}
{% set whole = place == sqlrec.limits().whole_list %}
{% set reads = {} %}
{% for table, columns in metric.needs.items() %}
{% set key, values = metric.if_param.get(table, [none, none]) %}
{% set required = settings[key] in values if key else table not in metric.if_given %}
{% if required or table in metric.if_given %}
{% do reads.update({table: {'columns': columns, 'required': required}}) %}
{% endif %}
{% endfor %}
{{ return({
    'metric': metric, 'label': label, 'spelled': label ~ '@' ~ ('all' if whole else place),
    'params': params, 'settings': settings, 'rules': entry.rules, 'place': place, 'reads': reads,
    'text': modules.re.sub('\\s', ' ', text) | trim,
}) }}
{% endmacro %}

-- A library's form of a metric: its parameters and rules, as far as they are not the defaults.
{% macro library_entry(convention, name) %}
{% if convention == 'sqlrec' %}{{ return({'params': {}, 'rules': {}}) }}{% endif %}
{% set libraries = sqlrec.conventions() %}
{{ sqlrec.check_known('convention', convention, ['sqlrec'] + libraries | list, convention=convention) }}
{% set own = libraries[convention] %}
{{ sqlrec.require(
    name in own, 'not_in_convention', metric=name, convention=convention, known=own | sort | join(', ')
) }}
{{ return(own[name]) }}
{% endmacro %}

-- The parameters that are written, each of which has a value that it may have.
{% macro read_params(text, metric, written) %}
{% set given = {} %}
{% set known = metric.defaults | list %}
{% for part in written.split(',') if part | trim %}
{% set key, equals, value = modules.re.findall('(?s)^([^=]*)(=?)(.*)$', part)[0] | map('trim') %}
{% set shown = {'metric': metric.name, 'param': key, 'value': value} %}
{{ sqlrec.require(equals, 'param', text=text, param=key) }}
{{ sqlrec.require(key not in given, 'param_twice', text=text, param=key) }}
{% set none_known = 'it has none' if not known %}
{{ sqlrec.check_known('param_unknown', key, known, none_known, **shown) if key != 'convention' }}
{% set safe = '(?!.*\\$\\{)[^\'"\\\\`\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]+' %}
{{ sqlrec.require(key not in metric.texts or modules.re.fullmatch(safe, value), 'param_text', **shown) }}
{% if key in metric.choices %}
{% set choices = metric.choices[key] %}
{{ sqlrec.require(value in choices, 'param_choice', known=choices | join(', '), **shown) }}
{% elif key in metric.numbers %}
{% set limits = metric.numbers[key] %}
{#- What is not a number is read as one beyond all limits. -#}
{% set is_number = modules.re.fullmatch('[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?', value | lower) %}
{% set value = value | float if is_number else 1.7e308 %}
{{ sqlrec.require(
    limits.above < value and value < limits.below and limits.least <= value and value <= limits.most
    and (not limits.step or value % limits.step == 0),
    'param_number', limits=limits.words, **shown
) }}
{% set value = value | int if value == value | int else value %}
{% endif %}
{% do given.update({key: value}) %}
{% endfor %}
{% for key in metric.texts %}
{{ sqlrec.require(key in given, 'param_lacks', text=text, metric=metric.name, param=key) }}
{% endfor %}
{{ return(given) }}
{% endmacro %}

-- The cutoff as a place; whole lists are those up to a place that no list reaches.
{% macro read_cutoff(text, written, metric, settings) %}
{% set rule, whole = metric.cutoff, written in ['', none, 'all'] %}
{% set by_k = [] %}
{% for key, value in settings.items() if value == 'k' %}{% do by_k.append(' with ' ~ key ~ '=k') %}{% endfor %}
{{ sqlrec.require(rule != 'none' or not written, 'cutoff_none', text=text, metric=metric.name, k=written) }}
{% set or_all = ', or ' ~ text ~ '@all for whole lists' if 'all' in rule else '' %}
{{ sqlrec.require(written or rule in ['none', 'optional'], 'cutoff_lacks', text=text, or_all=or_all) }}
{% set fits = not whole or rule == 'none' or rule != 'a number' and not by_k %}
{{ sqlrec.require(fits, 'cutoff_number', text=text, metric=metric.name, why=by_k | join) }}
{% set fits = whole or modules.re.fullmatch('[0-9]{1,7}', written) and 1 <= written | int and written | int <= metric.most %}
{{ sqlrec.require(fits, 'cutoff', text=text, most=metric.most, or_all=', or all' if 'all' in rule else '') }}
{{ return(sqlrec.limits().whole_list if whole else written | int) }}
{% endmacro %}
