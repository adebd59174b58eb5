-- Values that are functions of sums over users, as means over users: the delta method. A pooled
-- error, a weighted mean or a geometric mean is g(sum of part, sum of whole). Each user gets the
-- value
--
--     g + users * (the linear change of g by the user's terms of both sums)
--
-- The mean of these values is g, and their standard error is the standard error of g. So tests and intervals of
-- means are valid for these metrics too, also with groups of users.
--
--   added_part, added_whole   a user's terms of two sums:
--                 weighted, pooled, ratio   g = part / whole
--                 root               g = sqrt(part / whole)
--                 geometric          g = exp(part / whole)
--                 f                  g = F-beta of the means of both
--                 sum                g = part
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
{% for metric in kind.metrics if sqlrec.kind_of_mean(metric) in (forms if kind.of_users else ['ratio']) %}{% set _ = found.append(metric) %}{% endfor %}
{% endfor %}
{{ return(found) }}
{% endmacro %}

-- A user's term of a sum of the requested metric; for plain means, the value and 1.
{% macro requested_term(kind, table, term) -%}
case {{ kind.name }}_asked.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ sqlrec.term(sqlrec.kind_of_mean(metric), table ~ metric.column, term) }}
            {%- endfor %}
        end
{%- endmacro %}

{% macro term(form, value, term) -%}
{%- set weight = value ~ '_weight' -%}
{%- set one = sqlrec.double(1) -%}
{%- set terms = {
    'weighted': [value ~ ' * ' ~ weight, weight],
    'root': [value ~ ' * ' ~ value ~ ' * ' ~ weight, weight],
    'geometric': [sqlrec.ln(sqlrec.floored(value)), one],
    'pooled': [value ~ '_concordant', value ~ '_concordant + ' ~ value ~ '_discordant'],
    'f': [value ~ '_precision + 0 * ' ~ value ~ '_recall', value ~ '_recall + 0 * ' ~ value ~ '_precision'],
    'ratio': [value ~ '_part', value ~ '_whole'],
} -%}
{{ sqlrec.double(terms.get(form, [value, one])[0 if term == 'added_part' else 1]) }}
{%- endmacro %}

-- A user's share of g, from its terms and the sums of all users: an expression. Columns with a
-- prefix belong to a baseline.
{% macro linear_value(plan, value, prefix='') -%}
{%- set part, whole, parts, wholes = prefix ~ 'added_part', prefix ~ 'added_whole', prefix ~ 'added_parts', prefix ~ 'added_wholes' -%}
{%- set ratio = '(' ~ parts ~ ' / nullif(' ~ wholes ~ ', 0))' -%}
{%- set more = 'sum_users * (' ~ part ~ ' - ' ~ ratio ~ ' * ' ~ whole ~ ') / nullif(' ~ wholes ~ ', 0)' -%}
case
            {%- for metric in sqlrec.is_function_of_sums(plan) %}
            {%- set form = sqlrec.kind_of_mean(metric) %}
            when metric = '{{ metric.label }}' then
            {%- if form == 'root' %}
                sqrt({{ ratio }}) + coalesce({{ more }} / nullif(2 * sqrt({{ ratio }}), 0), 0)
            {%- elif form == 'geometric' %}
                exp({{ ratio }}) * (1 + {{ more }})
            {%- elif form == 'sum' %}
                sum_users * {{ part }}
            {%- elif form == 'f' %}
            {%- set squared = sqlrec.double(metric.params.get('beta', 1)) ~ ' * ' ~ sqlrec.double(metric.params.get('beta', 1)) %}
            {%- set below = 'nullif(' ~ squared ~ ' * ' ~ parts ~ ' + ' ~ wholes ~ ', 0)' %}
                (1 + {{ squared }}) * coalesce(
                    ({{ wholes }} / {{ below }}) * ({{ wholes }} / {{ below }}) * {{ part }}
                    + {{ squared }} * ({{ parts }} / {{ below }}) * ({{ parts }} / {{ below }}) * {{ whole }},
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
{% macro value_of_sums(plan, part, whole, users) -%}
{%- set ratio = part ~ ' / nullif(' ~ whole ~ ', 0)' -%}
case
        {%- for metric in sqlrec.is_function_of_sums(plan) %}
        {%- set form = sqlrec.kind_of_mean(metric) %}
        when sampled.metric = '{{ metric.label }}' then
        {%- if form == 'root' %} sqrt({{ ratio }})
        {%- elif form == 'geometric' %} exp({{ ratio }})
        {%- elif form == 'sum' %} {{ part }}
        {%- elif form == 'f' %}
        {%- set squared = sqlrec.double(metric.params.get('beta', 1)) ~ ' * ' ~ sqlrec.double(metric.params.get('beta', 1)) %}
            coalesce(
                (1 + {{ squared }}) * {{ part }} * {{ whole }} / nullif({{ users }} * ({{ squared }} * {{ part }} + {{ whole }}), 0),
                {{ whole }} / nullif({{ users }}, 0)
            )
        {%- else %} {{ ratio }}
        {%- endif %}
        {%- endfor %}
    end
{%- endmacro %}
