-- Checks of requests, and of arguments of data tests.

-- Raises an error, from the name of a message of sqlrec/messages.py and its values.
{% macro raise_error(message) %}{{ exceptions.raise_compiler_error(sqlrec.message_text(message, kwargs)) }}{% endmacro %}

{% macro require(holds, message) %}{% if not holds %}{{ sqlrec.raise_error(message, **kwargs) }}{% endif %}{% endmacro %}

-- Raises an error for an unknown name: the message suggests the nearest name, or lists all names.
{% macro check_known(message, name, known, shown='') %}
{% if name not in known %}{{ sqlrec.raise_error(message, nearest=sqlrec.nearest(name, known, shown), **kwargs) }}{% endif %}
{% endmacro %}

-- A message with its values; every second piece of the message is the name of a value.
{% macro message_text(message, values) %}
{% set told = [] %}
{% for piece in sqlrec.messages()[message] %}
{% set value = values[piece.split('!')[0]] if loop.index0 % 2 else piece %}
{% set _ = told.append("'" ~ value ~ "'" if loop.index0 % 2 and '!' in piece and value is string else value) %}
{% endfor %}
{{ return(told | join) }}
{% endmacro %}

-- The name nearest to a mistyped name, or all names, like the suggestions in sqlrec/errors.py.
{% macro nearest(name, known, shown='') %}
{% set written = name | string | lower %}
{% set known = known | reject('none') | map('string') | sort(case_sensitive=true) %}
{% set near, containing = namespace(name=none, share=0.62), [] %}
{#- Two swapped letters count as one mistake. -#}
{% for one in known if one | sort == written | sort %}{{ return("did you mean '" ~ one ~ "'?") }}{% endfor %}
{% for one in known if one %}
{% set share = 2 * sqlrec.common_letter_count(one, written) / (one | length + written | length) %}
{% if share >= near.share %}{% set near.name = one %}{% set near.share = share %}{% endif %}
{% if written in one | lower %}{% do containing.append(one) %}{% endif %}
{% endfor %}
{% if not near.name and written | length > 2 and containing | length == 1 %}
{% set near.name = containing[0] %}
{% endif %}
{{ return("did you mean '" ~ near.name ~ "'?" if near.name else shown or 'choose from ' ~ known | join(', ')) }}
{% endmacro %}

-- The number of letters that two texts have in common: the length of the longest common part, plus
-- the number for the texts before this part, plus the number for the texts after it (Ratcliff &
-- Metzener 1988), as in Python's difflib.
{% macro common_letter_count(left, right) %}
{% for size in range([left | length, right | length] | min, 0, -1) %}
{% for at in range(left | length - size + 1) if left[at:at + size] in right %}
{% set there = right.find(left[at:at + size]) %}
{% set before = sqlrec.common_letter_count(left[:at], right[:there]) %}
{{ return(size + before + sqlrec.common_letter_count(left[at + size:], right[there + size:])) }}
{% endfor %}
{% endfor %}
{{ return(0) }}
{% endmacro %}

-- The columns that identify a list; a user may have several lists.
{% macro list_columns(user_id, model_column) -%}
{{ sqlrec.identifier(model_column) ~ ', ' if model_column else '' }}
{%- for name in sqlrec.parts_of(user_id) %}{{ ', ' if not loop.first }}{{ sqlrec.identifier(name) }}{% endfor %}
{%- endmacro %}

-- The single metric of a data test.
{% macro parse_single_metric(metric) %}
{% set request = sqlrec.parse_metrics(metric) %}
{{ sqlrec.require(request | length == 1, 'test_metrics', metric=metric) }}
{{ return(request[0]) }}
{% endmacro %}

-- The improvement of the latest value over the previous one: an expression.
{% macro improvement(request) %}
{% set better = request.metric.planned.better %}
{{ sqlrec.require(better != 'neither', 'test_neither', metric=request.full_label) }}
{{ return('latest - previous' if better == 'higher' else 'previous - latest') }}
{% endmacro %}

-- The rows of a metric in an evaluation, for one model if the test names a model.
{% macro is_metric(request, model_name) -%}
metric = {{ sqlrec.text(request.label) }}
    and {{ 'k is null' if sqlrec.cutoff(request) == 'null' else 'k = ' ~ sqlrec.cutoff(request) }}
    {{- ' and model = ' ~ sqlrec.text(model_name) if model_name else '' }}
{%- endmacro %}

-- The cutoff in results: null for whole lists.
{% macro cutoff(request) -%}
{{ 'null' if request.cutoff == sqlrec.limits().whole_list else request.cutoff }}
{%- endmacro %}
