-- What people ask for, read as sqlrec/catalogue.py reads it in Python.

-- Metrics as people write them: a text or a list of texts, as in 'ndcg@10 map(divide_by=hits)@5'.
{% macro read_asked(metrics) %}
{% if metrics is not iterable or metrics is mapping %}
{{ sqlrec.refuse('metrics=' ~ metrics ~ ": write them as text, as in 'ndcg@10'") }}
{% endif %}
{% set asked = [] %}
{% for text in ([metrics] if metrics is string else metrics) %}
{% if text is not string %}
{{ sqlrec.refuse(text ~ " is no metric: write it as text, as in 'ndcg@10'") }}
{% endif %}
{#- Spaces and commas part metrics, outside of brackets. -#}
{% for part in modules.re.findall('(?:[^\\s,(]|\\([^)]*\\)?)+', text) %}
{% set one = sqlrec.read_metric(part) %}
{% if one.spelled in asked | map(attribute='spelled') %}
{{ sqlrec.refuse(one.spelled ~ ' is asked twice: once is enough') }}
{% endif %}
{% set _ = asked.append(one) %}
{% endfor %}
{% endfor %}
{% if not asked %}
{{ sqlrec.refuse("no metric asked: name at least one, as in 'ndcg@10'") }}
{% endif %}
{{ return(asked) }}
{% endmacro %}

-- One metric: its label, macro, the parameters that are not default, and the place that its cutoff is.
{% macro read_metric(text) %}
{% set shape = '^([\\w-]+)\\s*(?:\\(([^()]*)\\))?\\s*(?:@\\s*(\\w+))?$' %}
{% set parts = modules.re.findall(shape, text) %}
{% if not parts %}
{{ sqlrec.refuse(
    "'" ~ text ~ "' is no metric: write name@k or name(param=value)@k, as in 'ndcg@10'"
) }}
{% endif %}
{% set asked_name, asked_params, asked_cutoff = parts[0] %}
{% set written = asked_name | lower | replace('-', '_') %}
{% set names = [] %}
{% for name, metric in sqlrec.catalogue().items() if written == name or written in metric.aliases %}
{% set _ = names.append(name) %}
{% endfor %}
{% if not names %}
{{ sqlrec.refuse(
    "unknown metric '" ~ asked_name ~ "': known are " ~ sqlrec.catalogue() | join(', ')
) }}
{% endif %}
{% set name = names[0] %}
{% set metric = sqlrec.catalogue()[name] %}
{% set given = sqlrec.read_params(text, name, metric.params, asked_params or '') %}
{% set params = {} %}
{% for key, allowed in metric.params.items() if given.get(key, allowed[0]) != allowed[0] %}
{% set _ = params.update({key: given[key]}) %}
{% endfor %}
{% set written_params = [] %}
{% for key, value in params.items() %}{% set _ = written_params.append(key ~ '=' ~ value) %}{% endfor %}
{% set label = name ~ ('(' ~ written_params | join(', ') ~ ')' if params else '') %}
{% set place = sqlrec.read_cutoff(text, asked_cutoff, name, metric, given) %}
{{ return({
    'label': label,
    'spelled': label ~ '@' ~ ('all' if place == sqlrec.limits().whole_list else place),
    'macro': metric.rows ~ '__' ~ name,
    'params': params,
    'place': place,
}) }}
{% endmacro %}

{% macro read_params(text, name, params, written) %}
{% set given = {} %}
{% for part in written.split(',') if part | trim %}
{% set key = part.split('=')[0] | trim %}
{% set value = part.split('=')[1:] | join('=') | trim %}
{% set allowed = params.get(key, []) %}
{% if '=' not in part %}
{{ sqlrec.refuse("'" ~ text ~ "': '" ~ part | trim ~ "' is no parameter: write param=value") }}
{% elif key in given %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ key ~ ' is given twice: once is enough') }}
{% elif not allowed %}
{{ sqlrec.refuse(
    name ~ " has no parameter '" ~ key ~ "': "
    ~ ('known are ' ~ params | join(', ') if params else 'it has none')
) }}
{% elif allowed[0] is string and value not in allowed %}
{{ sqlrec.refuse(
    name ~ '(' ~ key ~ '=' ~ value ~ '): ' ~ key ~ ' is one of ' ~ allowed | join(', ')
) }}
{#- An infinite number is no number any more once it is subtracted from itself. #}
{% elif allowed[0] is number and not (value | float > 0 and value | float - value | float == 0) %}
{{ sqlrec.refuse(name ~ '(' ~ key ~ '=' ~ value ~ '): ' ~ key ~ ' is a number above 0') }}
{% endif %}
{% if allowed[0] is number %}
{% set value = value | float | int if value | float == value | float | int else value | float %}
{% endif %}
{% set _ = given.update({key: value}) %}
{% endfor %}
{{ return(given) }}
{% endmacro %}

-- The cutoff as a place; whole lists are those up to a place that no list reaches.
{% macro read_cutoff(text, written, name, metric, given) %}
{% set divisor = namespace(k='') %}
{% for key, allowed in metric.params.items() if given.get(key, allowed[0]) == 'k' %}
{% set divisor.k = ' with ' ~ key ~ '=k' %}
{% endfor %}
{% if not written and metric.cutoff != 'optional' %}
{{ sqlrec.refuse(
    "'" ~ text ~ "' has no cutoff: write " ~ text ~ '@10'
    ~ (', or ' ~ text ~ '@all for whole lists' if 'all' in metric.cutoff else '')
) }}
{% elif not written or written == 'all' %}
{% if metric.cutoff == 'a number' or divisor.k %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ name ~ divisor.k ~ ' needs a number as cutoff, as in @10') }}
{% endif %}
{{ return(sqlrec.limits().whole_list) }}
{% elif not modules.re.fullmatch('[0-9]{1,7}', written) or not 1 <= written | int <= 1000000 %}
{{ sqlrec.refuse("'" ~ text ~ "': a cutoff is a whole number from 1 to 1000000, or all") }}
{% endif %}
{{ return(written | int) }}
{% endmacro %}

-- Cutoffs of one metric brought together, in the order in which they were asked.
{% macro metrics_asked(asked) %}
{% set found = {} %}
{% for one in asked %}
{% if one.label not in found %}
{% set _ = found.update({one.label: {
    'label': one.label,
    'column': modules.re.sub('\\W+', '_', one.label).strip('_'),
    'macro': one.macro,
    'params': one.params,
    'cutoffs': [],
}}) %}
{% endif %}
{% set _ = found[one.label].cutoffs.append(one.place) %}
{% endfor %}
{{ return(found.values() | list) }}
{% endmacro %}
