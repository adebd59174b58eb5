-- Values that are functions of sums over users, as means over users, by the delta method. A pooled error, a weighted
-- mean or a geometric mean is g(sum of numerator, sum of denominator). Each user gets the value
--
--     g + users * (the linear change of g by the user's terms of both sums)
--
-- The mean of these values is g, and its standard error is the standard error of g. So tests and
-- intervals for means are also valid for these metrics, even with groups of users.
--
--   added_numerator, added_denominator   a user's terms in two sums:
--                 weighted, pooled, ratio   g = numerator / denominator
--                 root               g = sqrt(numerator / denominator)
--                 geometric          g = exp(numerator / denominator)
--                 f                  g = F-beta of two means
--                 sum                g = numerator
--
-- Source    Cochran 1977, Sampling Techniques, 6.19; Deng et al. 2018, doi.org/10.1145/3219819.3219919
--
-- The plan has an additional entry, terms: true if users' values have these columns.

-- The labels of metrics that are such functions and not plain means, one per line.
{% macro linear_metrics(plan) %}
{% for metric in sqlrec.is_function_of_sums(plan) %}
{{ metric.label }}
{% endfor %}
{% endmacro %}

{% macro is_function_of_sums(plan) %}
{% set found = [] %}
{% set forms = ['weighted', 'root', 'geometric', 'pooled', 'f', 'sum', 'ratio'] %}
{% for kind in plan.kinds %}
{% for metric in kind.metrics if sqlrec.kind_of_mean(metric) in (forms if kind.per_user else ['ratio']) %}{% set _ = found.append(metric) %}{% endfor %}
{% endfor %}
{{ return(found) }}
{% endmacro %}

-- A user's terms in the sums of the requested metric; for plain means, the value and 1.
{% macro requested_term(kind, table, term) -%}
case {{ kind.name }}_requests.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ sqlrec.term(sqlrec.kind_of_mean(metric), table ~ metric.column, term) }}
            {%- endfor %}
        end
{%- endmacro %}

{% macro term(form, value, term) -%}
{%- set weight = value ~ '_weight' -%}
{%- set one = 'cast(1 as double)' -%}
{%- set terms = {
    'weighted': [value ~ ' * ' ~ weight, weight],
    'root': [value ~ ' * ' ~ value ~ ' * ' ~ weight, weight],
    'geometric': [sqlrec.ln(sqlrec.floored(value)), one],
    'pooled': [value ~ '_concordant', value ~ '_concordant + ' ~ value ~ '_discordant'],
    'f': [value ~ '_precision + 0 * ' ~ value ~ '_recall', value ~ '_recall + 0 * ' ~ value ~ '_precision'],
    'ratio': [value ~ '_numerator', value ~ '_denominator'],
} -%}
{{ sqlrec.double(terms.get(form, [value, one])[0 if term == 'added_numerator' else 1]) }}
{%- endmacro %}

-- An expression: a user's linearized value, from the user's terms and the sums of all users.
-- Columns with a prefix belong to a baseline.
{% macro linear_value(plan, value, prefix='') -%}
{%- set numerator, denominator, numerators, denominators = prefix ~ 'added_numerator', prefix ~ 'added_denominator', prefix ~ 'added_numerators', prefix ~ 'added_denominators' -%}
{%- set ratio = '(' ~ numerators ~ ' / nullif(' ~ denominators ~ ', 0))' -%}
{%- set more = 'sum_users * (' ~ numerator ~ ' - ' ~ ratio ~ ' * ' ~ denominator ~ ') / nullif(' ~ denominators ~ ', 0)' -%}
case
            {%- for metric in sqlrec.is_function_of_sums(plan) %}
            {%- set form = sqlrec.kind_of_mean(metric) %}
            when metric = '{{ metric.label }}' then
            {%- if form == 'root' %}
                sqrt({{ ratio }}) + coalesce({{ more }} / nullif(2 * sqrt({{ ratio }}), 0), 0)
            {%- elif form == 'geometric' %}
                exp({{ ratio }}) * (1 + {{ more }})
            {%- elif form == 'sum' %}
                sum_users * {{ numerator }}
            {%- elif form == 'f' %}
            {%- set squared = sqlrec.double(metric.params.get('beta', 1)) ~ ' * ' ~ sqlrec.double(metric.params.get('beta', 1)) %}
            {%- set below = 'nullif(' ~ squared ~ ' * ' ~ numerators ~ ' + ' ~ denominators ~ ', 0)' %}
                (1 + {{ squared }}) * coalesce(
                    ({{ denominators }} / {{ below }}) * ({{ denominators }} / {{ below }}) * {{ numerator }}
                    + {{ squared }} * ({{ numerators }} / {{ below }}) * ({{ numerators }} / {{ below }}) * {{ denominator }},
                    0
                )
            {%- else %}
                {{ ratio }} + {{ more }}
            {%- endif %}
            {%- endfor %}
            else {{ value }}
        end
{%- endmacro %}

-- The value of a metric from its two sums and the number of users: an expression.
{% macro value_of_sums(plan, numerator, denominator, users) -%}
{%- set ratio = numerator ~ ' / nullif(' ~ denominator ~ ', 0)' -%}
case
        {%- for metric in sqlrec.is_function_of_sums(plan) %}
        {%- set form = sqlrec.kind_of_mean(metric) %}
        when sampled.metric = '{{ metric.label }}' then
        {%- if form == 'root' %} sqrt({{ ratio }})
        {%- elif form == 'geometric' %} exp({{ ratio }})
        {%- elif form == 'sum' %} {{ numerator }}
        {%- elif form == 'f' %}
        {%- set squared = sqlrec.double(metric.params.get('beta', 1)) ~ ' * ' ~ sqlrec.double(metric.params.get('beta', 1)) %}
            coalesce(
                (1 + {{ squared }}) * {{ numerator }} * {{ denominator }} / nullif({{ users }} * ({{ squared }} * {{ numerator }} + {{ denominator }}), 0),
                {{ denominator }} / nullif({{ users }}, 0)
            )
        {%- else %} {{ ratio }}
        {%- endif %}
        {%- endfor %}
    end
{%- endmacro %}
