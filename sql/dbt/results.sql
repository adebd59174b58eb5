-- The statements of calls.sql: those of Python, in which values are kept from who would trust them where rows
-- break a rule. Python refuses them then.

-- The mean over users.
{% macro evaluate_query(metrics, given) %}
{% set options = sqlrec.read_options(given) %}
{% if not execute %}{{ sqlrec.check_asked(metrics, options) }}{{ return('') }}{% endif %}
{{ sqlrec.check_form(options, ['interval', 'summaries', 'groupings', 'on_violation']) }}
{% if options.form == 'check' %}
{{ return(sqlrec.tidy(sqlrec.violations(sqlrec.planned(metrics, options), options))) }}
{% elif options.form == 'plain' %}
{{ return(sqlrec.tidy(sqlrec.evaluation(sqlrec.planned(metrics, options)))) }}
{% elif options.groupings == 'together' %}
{{ return(sqlrec.tidy(sqlrec.trusted_evaluation(sqlrec.planned(metrics, options), options))) }}
{% endif %}
{{ sqlrec.refuse_taken(options.by, ['grouping']) }}
{% set groupings = {'all': []} %}
{% for name in options.by %}{% set _ = groupings.update({name: [name]}) %}{% endfor %}
{% set _ = groupings.update({options.by | join(', '): options.by}) %}
{% if not options.by %}
{{ sqlrec.refuse("groupings='each' and no by: name the columns of segments") }}
{% endif %}
{% set queries = [] %}
{% for name, by in groupings.items() %}
{#- Those by all columns come first, and say of what types these are. Of names for columns some are for segments. -#}
{% set plan = sqlrec.planned(metrics, dict(options, by=by, usual=options.columns)) %}
{% set _ = queries.insert(0, sqlrec.of_grouping(name, plan, options) | trim) %}
{% endfor %}
{{ return(sqlrec.tidy(queries | join('\nunion all\n'))) }}
{% endmacro %}

-- The rows of one grouping, in which the segments of others are null.
{% macro of_grouping(name, plan, options) %}
{% set own = plan.by | map(attribute='asked') | list %}
select
    model,
    {{ sqlrec.text(name) }} as {{ sqlrec.identifier('grouping') }},
    {%- for segment in options.by %}
    {{ 'null as ' if segment not in own }}{{ sqlrec.identifier(segment) }},
    {%- endfor %}
    metric, k, asked, value, users, {{ sqlrec.names(sqlrec.beside_value(plan, options) + sqlrec.account_columns(plan)) }}
from (
{{ sqlrec.trusted_evaluation(plan, options) }}
) as of_grouping
{% endmacro %}

-- Columns beside a value that say more of the same users.
{% macro beside_value(plan, options) %}
{% set names = ['standard_error', 'low', 'high'] if plan.errors else [] %}
{{ return(names + sqlrec.read_summaries(options.summaries) | map('first') | list) }}
{% endmacro %}

-- Columns that say who was counted, and by which rows rules went that go by their order.
{% macro account_columns(plan) %}
{% set orders = sqlrec.row_orders(plan).values() | select | list %}
{{ return(sqlrec.limits().accounts + sqlrec.weight_columns(plan) + (['row_order'] if orders else []) + ['violations']) }}
{% endmacro %}

-- For each metric the order of rows that its rules go by: a column, `rows` where they stand, `none` where other
-- rules stand in, as is warned of; or nothing where no rule goes by it.
{% macro row_orders(plan) %}
{% set orders = {} %}
{% for part in plan.parts or [plan] %}
{% for kind in part.kinds %}
{% for metric in kind.metrics %}{% set _ = orders.update({metric.label: part.row_order}) %}{% endfor %}
{% endfor %}
{% endfor %}
{{ return(orders) }}
{% endmacro %}

-- The order of rows of a metric: an expression.
{% macro row_order_of(plan) -%}
case evaluated.metric
        {%- for label, order in sqlrec.row_orders(plan).items() if order %}
        when '{{ label }}' then {{ sqlrec.text(order) }}
        {%- endfor %}
    end
{%- endmacro %}

-- An evaluation whose values are null where rows break a rule, or which stops there.
{% macro trusted_evaluation(plan, options) %}
{% set summaries = sqlrec.read_summaries(options.summaries) %}
{% set shares = [] %}
{% for name, kind, share in summaries if share is not none and share not in shares %}{% set _ = shares.append(share) %}{% endfor %}
{{ sqlrec.refuse_taken(options.by, sqlrec.beside_value(plan, options)) }}
{% set of_users = plan.kinds | selectattr('of_users') | list %}
{% set reach = sqlrec.double(sqlrec.limits().reach[options.level]) ~ ' * evaluated.standard_error' %}
{#- What is less than this share of the values is what their sums differ by. -#}
{% set uncertain = 'evaluated.standard_error * sqrt(' ~ sqlrec.double('coalesce(evaluated.deciding_users, evaluated.users)' if plan.weighed else 'evaluated.users') ~ ') > ' ~ sqlrec.double(1e-12) ~ ' * abs(evaluated.value)' %}
select
    evaluated.model as model,
    {%- for segment in plan.by %}
    evaluated.{{ segment.label }} as {{ segment.label }},
    {%- endfor %}
    evaluated.metric as metric,
    evaluated.k as k,
    evaluated.asked as asked,
    {{ sqlrec.unless_broken('evaluated', 'evaluated.value') }} as value,
    evaluated.users as users,
    {%- if plan.errors %}
    {{ sqlrec.unless_broken('evaluated', 'evaluated.standard_error') }} as standard_error,
    case when evaluated.violations > 0 then null when {{ uncertain }} then evaluated.value - {{ reach }} end as low,
    case when evaluated.violations > 0 then null when {{ uncertain }} then evaluated.value + {{ reach }} end as high,
    {%- endif %}
    {%- for name, kind, share in summaries %}
    {%- set column = kind if share is none else kind ~ '_' ~ (shares.index(share) + 1) %}
    {{ sqlrec.unless_broken('evaluated', 'summarised.' ~ column) if of_users else sqlrec.double('null') }} as {{ name }},
    {%- endfor %}
    {%- for column in sqlrec.account_columns(plan) if column != 'violations' %}
    {{ sqlrec.row_order_of(plan) if column == 'row_order' else 'evaluated.' ~ column }} as {{ column }},
    {%- endfor %}
    {{ sqlrec.told('evaluated.violations', options) }} as violations
from (
{{ sqlrec.evaluation(plan) }}
) as evaluated
{%- if summaries and of_users %}
left join (
{{ sqlrec.summaries(dict(plan, quantiles=shares)) }}
) as summarised
    on summarised.model = evaluated.model and summarised.metric = evaluated.metric
    and coalesce(summarised.k, 0) = coalesce(evaluated.k, 0)
    {%- for segment in plan.by %}
    and (summarised.{{ segment.label }} = evaluated.{{ segment.label }} or summarised.{{ segment.label }} is null and evaluated.{{ segment.label }} is null)
    {%- endfor %}
{%- endif %}
{% endmacro %}

-- The values of users.
{% macro per_user_query(metrics, given) %}
{% set options = sqlrec.read_options(given) %}
{% if not execute %}{{ sqlrec.check_asked(metrics, options) }}{{ return('') }}{% endif %}
{{ sqlrec.check_form(options, ['on_violation']) }}
{% if options.form == 'check' %}
{{ sqlrec.refuse("form='check': broken rules are those of all users; ask evaluate") }}
{% endif %}
{% set plan = sqlrec.plan_of_users(sqlrec.planned(metrics, options)) %}
{% if options.form == 'plain' %}{{ return(sqlrec.tidy(sqlrec.user_evaluation(plan))) }}{% endif %}
{{ return(sqlrec.tidy(sqlrec.trusted_users(plan, options))) }}
{% endmacro %}

{% macro trusted_users(plan, options) %}
select
    model, {% for segment in plan.by %}{{ segment.label }}, {% endfor %}user_id, metric, k, asked,
    {{ sqlrec.unless_broken('evaluated', 'evaluated.value') }} as value,
    {{ sqlrec.told('evaluated.violations', options) }} as violations
from (
{{ sqlrec.user_evaluation(plan) }}
) as evaluated
{% endmacro %}

-- The mean difference to a model, user by user.
{% macro compare_query(metrics, given) %}
{% set baseline = given.baseline %}
{% set options = dict(sqlrec.read_options(dict(given, baseline=none)), compares=true) %}
{% if not execute %}{{ sqlrec.check_asked(metrics, options) }}{{ return('') }}{% endif %}
{{ sqlrec.check_form(options, ['on_violation', 'level']) }}
{% if options.form == 'check' %}
{{ sqlrec.refuse("form='check': broken rules are those of all models; ask evaluate") }}
{% endif %}
{% set plan = sqlrec.paired_plan(sqlrec.planned(metrics, options), baseline) %}
{% if options.form == 'plain' %}{{ return(sqlrec.tidy(sqlrec.plain_comparison(plan))) }}{% endif %}
{{ return(sqlrec.tidy(sqlrec.trusted_comparison(plan, options))) }}
{% endmacro %}

{% macro trusted_comparison(plan, options) %}
{% set reach = sqlrec.double(sqlrec.limits().reach[options.level]) ~ ' * nullif(standard_error, 0)' %}
{% set measures = {'low': 'difference - ' ~ reach, 'high': 'difference + ' ~ reach} %}
select
    model, {% for segment in plan.by %}{{ segment.label }}, {% endfor %}metric, k, asked, users,
    {%- for name in ['value', 'baseline_value', 'difference', 'standard_error', 'baseline_error', 'covariance', 'low', 'high'] %}
    {{ sqlrec.unless_broken('compared', measures.get(name, 'compared.' ~ name)) }} as {{ name }},
    {%- endfor %}
    better,
    {%- for name in ['wins', 'ties', 'losses', 'signs', 'signed_ranks', 'signed_ranks_error'] %}
    {{ sqlrec.unless_broken('compared', 'compared.' ~ name) }} as {{ name }},
    {%- endfor %}
    {{ sqlrec.told('compared.violations', options) }} as violations
from (
{{ sqlrec.comparison(plan) }}
) as compared
{% endmacro %}

-- The rows of an evaluation that nobody should trust; or which rules the inputs of one break.
{% macro no_violations_query(model, metrics, given) %}
{% if metrics is none %}
select * from {{ model }} where violations > 0
{% else %}
{% if (given.recs | string) in ['None', 'none', ''] %}{% set _ = given.update({'recs': model}) %}{% endif %}
{% set options = sqlrec.read_options(given) %}
{% if not execute %}{{ sqlrec.check_asked(metrics, options) }}{{ return('') }}{% endif %}
{{ sqlrec.tidy(sqlrec.violations(sqlrec.planned(metrics, options), options)) }}
{% endif %}
{% endmacro %}

-- A row per rule that rows break: the input, how often, an example, and in words what to do about it.
{% macro violations(plan, options) %}
{% if plan.parts %}
{{ sqlrec.refuse(
    plan.title ~ ' follow several sets of rules: ask for the violations of metrics of one convention at a time'
) }}
{% endif %}
select
    input, rule, found, user_id, item_id, rank,
    {% for name in ['found', 'user_id', 'item_id', 'rank'] %}replace({% endfor %}message
    {%- for name in ['found', 'user_id', 'item_id', 'rank'] -%}
    , '{{ '{' ~ name ~ '}' }}', coalesce({{ sqlrec.string(name) }}, 'null'))
    {%- endfor %} as message
from (
    select
        {%- for column in ['input', 'message'] %}
        case violation
            {%- for violation, message in sqlrec.violation_messages().items() if plan[violation.split('_')[0]] %}
            when '{{ violation }}' then {{ sqlrec.text(violation.split('_')[0] if column == 'input' else message | replace('{by}', options.by | join(' or ')) | replace('{largest}', plan.largest_relevance | string)) }}
            {%- endfor %}
        end as {{ column }},
        {%- endfor %}
        violation as rule, found, user_id, item_id, rank
    from (
{{ sqlrec.violation_rows(plan) }}
    ) as broken_rules
) as violations
{% endmacro %}

-- A value, unless rows break a rule: no value can be trusted then.
{% macro unless_broken(table, value) %}case when {{ table }}.violations > 0 then null else {{ value }} end{% endmacro %}

-- How often rules are broken; or where they are, and the model is to fail, an error. Its text is made of data, so
-- that no engine makes it before there is some.
{% macro told(violations, options) -%}
{%- if options.on_violation == 'fail' -%}
case when {{ violations }} > 0 then {{ adapter.dispatch('stop', 'sqlrec')(violations, sqlrec.string(violations) ~ " || '" ~ sqlrec.limits().broken ~ "'") }} else {{ violations }} end
{%- else -%}
{{ violations }}
{%- endif -%}
{%- endmacro %}
{% macro default__stop(violations, message) %}cast({{ message }} as bigint){% endmacro %}
{% macro spark__stop(violations, message) %}cast(raise_error({{ message }}) as bigint){% endmacro %}
{% macro bigquery__stop(violations, message) %}error({{ message }}){% endmacro %}
{% macro clickhouse__stop(violations, message) %}{{ violations }} + throwIf({{ violations }} > 0, '{{ sqlrec.limits().broken }}'){% endmacro %}
{% macro sqlite__stop(violations, message) %}cast(json({{ message }}) as bigint){% endmacro %}

-- The summaries asked, each with its name, and the column, or the kind of quantile and its share.
{% macro read_summaries(asked) %}
{% set known = ['standard_deviation', 'min', 'max', 'zero_share'] %}
{% set found = [] %}
{% for name in (asked.split() if asked is string else asked) %}
{% set quantile = modules.re.findall('^(lower_)?(?:(median)|p([0-9]{1,2}(?:[.][0-9]+)?))$', name) %}
{% if name in known %}
{% set _ = found.append([name, name, none]) %}
{% elif quantile %}
{% set lower, median, percent = quantile[0] %}
{% set _ = found.append([name, 'lower' if lower else 'quantile', 0.5 if median else (percent | float) / 100]) %}
{% else %}
{{ sqlrec.refuse(
    "summaries='" ~ name ~ "': known are " ~ known | join(', ')
    ~ ', median, p90 and other percentiles, lower_median, lower_p90'
) }}
{% endif %}
{% endfor %}
{{ return(found) }}
{% endmacro %}

-- Segments have no name that another column of the result has.
{% macro refuse_taken(by, taken) %}
{% for name in by if name | lower in taken %}
{{ sqlrec.refuse("by='" ~ name ~ "': the result has a column of this name; rename it") }}
{% endfor %}
{% endmacro %}

-- The plain form, and that of the broken rules, have nothing that stands on their count.
{% macro check_form(options, others) %}
{% for name in others if options.form != 'audited' and options[name] != sqlrec.options()[name].default %}
{{ sqlrec.refuse("form='" ~ options.form ~ "' and " ~ name ~ "='" ~ options[name] ~ "': leave out one") }}
{% endfor %}
{% endmacro %}

-- What can be refused while dbt parses, before anybody looks at a table.
{% macro check_asked(metrics, options) %}
{% set asked = sqlrec.parse_metrics(metrics, options.convention) %}
{% set _ = sqlrec.needed(asked, options, sqlrec.target(asked, options)) %}
{% endmacro %}
