-- What people ask for, read as sqlrec/catalogue/requests.py reads it in Python.

-- Metrics as people write them: a text or a list of texts, as in 'ndcg@10 map(divide_by=hits)@5'.
{% macro parse_metrics(metrics, convention='sqlrec') %}
{% if metrics is not iterable or metrics is mapping %}
{{ sqlrec.refuse('metrics=' ~ metrics ~ ": write them as text, as in 'ndcg@10'") }}
{% endif %}
{% set asked = [] %}
{% set catalogue = sqlrec.catalogue() %}
{% set conventions = sqlrec.conventions() %}
{% set presets = sqlrec.limits().presets %}
{% for text in ([metrics] if metrics is string else metrics) %}
{% if text is not string %}
{{ sqlrec.refuse(text ~ " is no metric: write it as text, as in 'ndcg@10'") }}
{% endif %}
{#- Spaces and commas part metrics, outside of brackets; a further cutoff is the metric once more. -#}
{% set parts = '((?:[^\\s,(]|\\([^)]*\\)?)+)((?:\\s*,\\s*(?:[0-9]+|all)(?=[\\s,]|$))*)' %}
{% for name, cutoffs in modules.re.findall(parts, text) %}
{% if name in presets %}
{{ sqlrec.refuse("'" ~ name ~ "' has no cutoff: write " ~ name ~ '@10') }}
{% endif %}
{% set metric = name[:name.rfind('@') + 1] %}
{% set each = [] %}
{% for k in [''] + modules.re.findall('\\w+', cutoffs) %}
{% set part = metric ~ k if k else name %}
{% for one in presets.get(metric[:-1], [none]) %}{% set _ = each.append(one ~ part[metric | length - 1:] if one else part) %}{% endfor %}
{% endfor %}
{% for part in each %}
{% set one = sqlrec.read_metric(part, catalogue, conventions, convention) %}
{% for before in asked if before.spelled == one.spelled %}
{{ sqlrec.refuse(
    one.spelled ~ ' is asked twice, as ' ~ before.text ~ ' and ' ~ one.text ~ ': once is enough'
) }}
{% endfor %}
{% set _ = asked.append(one) %}
{% endfor %}
{% endfor %}
{% endfor %}
{% if not asked %}
{{ sqlrec.refuse("no metric asked: name at least one, as in 'ndcg@10'") }}
{% endif %}
{{ return(asked) }}
{% endmacro %}

-- One metric: its label, name, the parameters that are not default, the place that its cutoff is, and
-- what was written.
{% macro read_metric(text, catalogue, conventions, convention) %}
{% set shape = '^([\\w-]+)\\s*(?:\\(([^()]*)\\))?\\s*(?:@\\s*(\\w+))?$' %}
{% set parts = modules.re.findall(shape, text) %}
{% if not parts %}
{{ sqlrec.refuse(
    "'" ~ text ~ "' is no metric: write name@k or name(param=value)@k, as in 'ndcg@10'"
) }}
{% endif %}
{% set asked_name, asked_params, asked_cutoff = parts[0] %}
{% set written = asked_name | lower | replace('-', '_') %}
{% set names = {} %}
{% for name, metric in catalogue.items() %}
{% for alias in metric.aliases + [name] %}{% set _ = names.update({alias: name}) %}{% endfor %}
{% endfor %}
{% if written not in names %}
{{ sqlrec.refuse(
    "unknown metric '" ~ asked_name ~ "': "
    ~ sqlrec.nearest(written, names, 'known are ' ~ catalogue | join(', '))
) }}
{% endif %}
{% set name = names[written] %}
{% set metric = catalogue[name] %}
{% set written = sqlrec.read_params(text, name, metric, asked_params or '') %}
{% set own = {'convention': written.pop('convention')} if 'convention' in written else {} %}
{% set whose = own.get('convention', convention) %}
{% set entry = sqlrec.library_entry(whose, name, conventions) %}
{% set usual = {} %}
{% for key, allowed in metric.params.items() %}
{% set _ = usual.update({key: entry.params.get(key, allowed[0])}) %}
{% endfor %}
{% set any_text = [sqlrec.limits().any_text] %}
{% set params = {} %}
{% set settings = {} %}
{% set shown = own.items() | list %}
{% for key, allowed in metric.params.items() %}
{% set value = written.get(key, usual[key]) %}
{% set _ = settings.update({key: value}) %}
{% if value != allowed[0] or allowed == any_text %}{% set _ = params.update({key: value}) %}{% endif %}
{% if value != usual[key] or allowed == any_text %}{% set _ = shown.append((key, value)) %}{% endif %}
{% endfor %}
{% set written_params = [] %}
{% for key, value in shown %}{% set _ = written_params.append(key ~ '=' ~ value) %}{% endfor %}
{% set label = name ~ ('(' ~ written_params | join(', ') ~ ')' if shown else '') %}
{% set place = sqlrec.read_cutoff(text, asked_cutoff, name, metric, settings) %}
{{ return({
    'label': label,
    'spelled': label ~ '@' ~ ('all' if place == sqlrec.limits().whole_list else place),
    'rows': metric.rows,
    'name': name,
    'params': params,
    'settings': settings,
    'parts': metric.parts,
    'better': metric.better,
    'title': metric.title,
    'source': metric.source,
    'needs': metric.needs,
    'of_lists': 'recs' in metric.needs | map(attribute='table') | list,
    'place': place,
    'rules': entry.rules,
    'text': modules.re.sub('\\s', ' ', text) | trim,
}) }}
{% endmacro %}

-- A library's form of a metric: its parameters and rules, as far as they are not the defaults.
{% macro library_entry(convention, name, conventions) %}
{% if convention == 'sqlrec' %}{{ return({'params': {}, 'rules': {}}) }}{% endif %}
{% if convention not in conventions %}
{{ sqlrec.refuse(
    "convention='" ~ convention ~ "': " ~ sqlrec.nearest(convention, ['sqlrec'] + conventions | list)
) }}
{% elif name not in conventions[convention] %}
{{ sqlrec.refuse(
    name ~ '(convention=' ~ convention ~ '): ' ~ convention ~ ' has '
    ~ conventions[convention] | sort | join(', ')
) }}
{% endif %}
{{ return(conventions[convention][name]) }}
{% endmacro %}

{% macro read_params(text, name, metric, written) %}
{% set params = metric.params %}
{% set any_text = [sqlrec.limits().any_text] %}
{% set given = {} %}
{% for part in written.split(',') if part | trim %}
{% set key = part.split('=')[0] | trim %}
{% set value = part.split('=')[1:] | join('=') | trim %}
{% set allowed = params.get(key, []) %}
{% if '=' not in part %}
{{ sqlrec.refuse("'" ~ text ~ "': '" ~ part | trim ~ "' is no parameter: write param=value") }}
{% elif key in given %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ key ~ ' is given twice: once is enough') }}
{% elif key == 'convention' %}
{% elif not allowed %}
{{ sqlrec.refuse(
    name ~ " has no parameter '" ~ key ~ "': "
    ~ (sqlrec.nearest(key, params) if params else 'it has none')
) }}
{% elif allowed == any_text %}
{% if not modules.re.fullmatch('(?!.*\\$\\{)[^\'"\\\\`\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]+', value) %}
{{ sqlrec.refuse(
    name ~ '(' ~ key ~ '=' ~ value ~ '): ' ~ key
    ~ ' is a text without quotes, backslashes, line breaks or ${'
) }}
{% endif %}
{% elif allowed[0] is string and value not in allowed %}
{{ sqlrec.refuse(
    name ~ '(' ~ key ~ '=' ~ value ~ '): ' ~ key ~ ' is one of ' ~ allowed | join(', ')
) }}
{% elif allowed[0] is number and not sqlrec.lies_within(value, metric.limits[key]) %}
{{ sqlrec.refuse(
    name ~ '(' ~ key ~ '=' ~ value ~ '): ' ~ key ~ ' is a number '
    ~ metric.limits[key].items() | map('join', ' ') | join(' ')
) }}
{% endif %}
{% if allowed and allowed[0] is number %}
{% set value = value | float | int if value | float == value | float | int else value | float %}
{% endif %}
{% set _ = given.update({key: value}) %}
{% endfor %}
{% for key, allowed in params.items() if allowed == any_text and key not in given %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ name ~ ' needs ' ~ key ~ ': write ' ~ name ~ '(' ~ key ~ '=...)') }}
{% endfor %}
{{ return(given) }}
{% endmacro %}

-- Whether a number lies where the limits say, as in {'above': 0, 'below': 1}.
{% macro lies_within(written, limits) %}
{#- What is no number is read as one that lies nowhere; an infinite one is none once it is subtracted
    from itself. -#}
{% set value = written | float(default=none) %}
{% if value is none or value - value != 0 %}{{ return(false) }}{% endif %}
{% for word, limit in limits.items() %}
{% if (word == 'above' and not value > limit) or (word == 'from' and not value >= limit)
    or (word == 'below' and not value < limit) or (word == 'to' and not value <= limit)
    or (word == 'by' and value % limit != 0) %}
{{ return(false) }}
{% endif %}
{% endfor %}
{{ return(true) }}
{% endmacro %}

-- The cutoff as a place; whole lists are those up to a place that no list reaches.
{% macro read_cutoff(text, written, name, metric, settings) %}
{% set divisor = namespace(k='') %}
{% for key, value in settings.items() if value == 'k' %}
{% set divisor.k = ' with ' ~ key ~ '=k' %}
{% endfor %}
{% set most = metric.cutoff.split(' up to ')[1] | int if ' up to ' in metric.cutoff else 1000000 %}
{% if metric.cutoff == 'none' %}
{% if written %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ name ~ ' has no cutoff: write it without @' ~ written) }}
{% endif %}
{{ return(sqlrec.limits().whole_list) }}
{% elif not written and metric.cutoff != 'optional' %}
{{ sqlrec.refuse(
    "'" ~ text ~ "' has no cutoff: write " ~ text ~ '@10'
    ~ (', or ' ~ text ~ '@all for whole lists' if 'all' in metric.cutoff else '')
) }}
{% elif not written or written == 'all' %}
{% if metric.cutoff in ['a number', 'a number up to ' ~ most] or divisor.k %}
{{ sqlrec.refuse("'" ~ text ~ "': " ~ name ~ divisor.k ~ ' needs a number as cutoff, as in @10') }}
{% endif %}
{{ return(sqlrec.limits().whole_list) }}
{% elif not modules.re.fullmatch('[0-9]{1,7}', written) or not 1 <= written | int <= most %}
{{ sqlrec.refuse(
    "'" ~ text ~ "': a cutoff is a whole number from 1 to " ~ most
    ~ (', or all' if 'all' in metric.cutoff else '')
) }}
{% endif %}
{{ return(written | int) }}
{% endmacro %}

-- The known name nearest to a mistyped one, or all of them, as sqlrec/errors.py suggests it.
{% macro nearest(name, known, shown='') %}
{% set written = name | string | lower %}
{% set found = namespace(name=none, share=0.6) %}
{% for one in known | sort(case_sensitive=true) if one %}
{% set share = 2 * sqlrec.letters_in_common(one, written) / (one | length + written | length) %}
{% if share >= found.share %}
{% set found.name = one %}
{% set found.share = share %}
{% endif %}
{% endfor %}
{% if found.name is not none %}{{ return("did you mean '" ~ found.name ~ "'?") }}{% endif %}
{{ return(shown or 'known are ' ~ known | sort(case_sensitive=true) | join(', ')) }}
{% endmacro %}

-- How many letters two texts have in common: those of the longest part that both have, and the same of
-- what stands before it and behind it (Ratcliff & Metzener 1988), as Python's difflib counts them.
{% macro letters_in_common(left, right) %}
{% for size in range([left | length, right | length] | min, 0, -1) %}
{% for at in range(left | length - size + 1) if left[at:at + size] in right %}
{% set there = right.find(left[at:at + size]) %}
{{ return(
    size
    + sqlrec.letters_in_common(left[:at], right[:there])
    + sqlrec.letters_in_common(left[at + size:], right[there + size:])
) }}
{% endfor %}
{% endfor %}
{{ return(0) }}
{% endmacro %}
