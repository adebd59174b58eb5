-- What tests of data have in common.

-- The columns that name a list.
{% macro list_columns(user_id, model_column) -%}
{{ sqlrec.identifier(model_column) ~ ', ' if model_column else '' }}{{ sqlrec.identifier(user_id) }}
{%- endmacro %}

-- The one metric that a test is of.
{% macro read_one(metric) %}
{% set asked = sqlrec.parse_metrics(metric) %}
{% if asked | length > 1 %}
{{ sqlrec.refuse("metric='" ~ metric ~ "': a test is of one metric; give each its own") }}
{% endif %}
{{ return(asked[0]) }}
{% endmacro %}

-- How much better the latest value is than the previous one: an expression.
{% macro improvement(asked) %}
{% if asked.better == 'neither' %}
{{ sqlrec.refuse(
    asked.spelled ~ ': neither more nor less of it is better, so that none is worse; '
    ~ 'ask for another, or limit it by metric_at_least'
) }}
{% endif %}
{{ return('latest - previous' if asked.better == 'higher' else 'previous - latest') }}
{% endmacro %}

-- The rows of a metric in an evaluation, of one model where it is named.
{% macro is_metric(asked, model_name) -%}
metric = {{ sqlrec.text(asked.label) }}
    and {{ 'k is null' if sqlrec.cutoff(asked) == 'null' else 'k = ' ~ sqlrec.cutoff(asked) }}
    {{- ' and model = ' ~ sqlrec.text(model_name) if model_name else '' }}
{%- endmacro %}

-- The cutoff as it stands in results: null for whole lists.
{% macro cutoff(asked) -%}
{{ 'null' if asked.place == sqlrec.limits().whole_list else asked.place }}
{%- endmacro %}

-- A limit of a test, which is pasted into its statement: a number and nothing else.
{% macro number_given(name, value) %}
{% if value is boolean or value is not number or not -1e308 <= value <= 1e308 %}
{{ sqlrec.refuse(name ~ "='" ~ value ~ "': it is a number; write it without quotes, as in 0.25") }}
{% endif %}
{{ return(value) }}
{% endmacro %}

-- A count of places, which is pasted as well.
{% macro places_given(name, value) %}
{% if value is boolean or value is not integer or value < 1 %}
{{ sqlrec.refuse(name ~ "='" ~ value ~ "': it is a whole number from 1; write it without quotes, as in 10") }}
{% endif %}
{{ return(value) }}
{% endmacro %}
