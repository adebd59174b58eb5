-- The statements of calls.sql. They are the statements of Python, except that values are replaced
-- by nulls or an error if rows break a rule; Python rejects such rows.

-- The statement of a call: evaluate, per_user or compare.
{% macro call_statement(call, metrics, given) %}
{% set compares = call == 'compare' %}
{% set options = dict(sqlrec.read_options(dict(given, baseline=none) if compares else given), compares=compares) %}
{% do options.update(primary=sqlrec.parse_metrics(metrics, options.convention, options.catalog is not none, options.k)[0].text) if compares %}
{% if not execute %}
{#- These errors can be raised while dbt parses, before a table is read. -#}
{% do sqlrec.needed_columns(sqlrec.parse_metrics(metrics, options.convention, options.catalog is not none, options.k), options, options.seen) %}
{{ return('') }}
{% endif %}
{{ sqlrec.check_form(call, options, given) }}
{% if options.groupings == 'each' %}{{ return(sqlrec.tidy_white_space(sqlrec.grouped_results(metrics, options))) }}{% endif %}
{% set plan = sqlrec.with_derived(sqlrec.plan_from_options(metrics, options)) %}
{% if options.form == 'check' %}{{ return(sqlrec.tidy_white_space(sqlrec.violations(plan, options))) }}{% endif %}
{% set per_user_kinds = plan.kinds | selectattr('per_user') | list %}
{{ sqlrec.require(call != 'per_user' or per_user_kinds, 'no_users', title=plan.title) }}
{% set plan, plain = sqlrec.plan_comparison(plan, given.baseline) if compares else plan, options.form == 'plain' %}
{% set inner, around = {
    'evaluate': ['evaluation', 'trusted_evaluation'],
    'per_user': ['user_evaluation', 'trusted_users'],
    'compare': ['plain_comparison' if plain else 'comparison', 'trusted_comparison'],
}[call] %}
{% set weighs = compares and plain and options.weights is not none %}
{{ sqlrec.require(not weighs, 'form_alone', form='plain', option='weights', value=options.weights) }}
{% set statement = sqlrec.with_steps(sqlrec.prune_statement(sqlrec.tidy_white_space(sqlrec[inner](plan))), options) %}
{{ return(statement if plain or options.step else sqlrec.tidy_white_space(sqlrec[around](plan, options, statement))) }}
{% endmacro %}

-- Checks for incompatible options: the plain form and the list of broken rules do not count broken
-- rules, and steps need a single statement.
{% macro check_form(call, options, given) %}
{% for name in ['interval', 'summaries', 'groupings', 'level', 'on_violation'] if given.get(name) and options.form != 'audited' %}
{% set usual = given[name] == sqlrec.options()[name].default %}
{{ sqlrec.require(usual, 'form_alone', form=options.form, option=name, value=given[name]) }}
{% endfor %}
{{ sqlrec.require(options.form != 'check' or call == 'evaluate', 'form_check') }}
{% set step, of_one = 'step' if options.step else 'steps', options.groupings == 'together' and options.form != 'check' %}
{{ sqlrec.require(of_one or not options[step], 'one_statement', option=step) }}
{% endmacro %}

-- A statement in which `steps` replaces named queries by relations, without the queries that only
-- the replaced queries read. Or one of the named queries, `step`, for a separate model.
{% macro with_steps(statement, options) %}
{% if not options.step and not options.steps %}{{ return(statement) }}{% endif %}
{% set queries, option = sqlrec.named_queries(statement), 'step' if options.step else 'steps' %}
{% for name in ([options.step] if options.step else options.steps) %}
{{ sqlrec.check_known('choice', name, queries | map(attribute='name') | list, option=option, value=name) }}
{% endfor %}
{% set last = 'select * from ' ~ options.step if options.step else statement[statement.find('\n)\n') + 3:] %}
{% for query in queries if query.name in options.steps %}
{% do query.update({'sql': 'select * from ' ~ options.steps[query.name]}) %}
{% endfor %}
{{ return(sqlrec.keep_read_queries(queries, last, whole=true)) }}
{% endmacro %}

-- Evaluations without segments, by each column of `by`, and by all columns. Segments that do not
-- apply are null.
{% macro grouped_results(metrics, options) %}
{{ sqlrec.check_segment_names(options.by, ['grouping']) }}
{{ sqlrec.require(options.by, 'by_none') }}
{% set groupings = {options.by | join(', '): options.by} %}
{#- The evaluation by all columns is first and determines the types of columns. -#}
{% for name in options.by | reverse %}{% do groupings.setdefault(name, [name]) %}{% endfor %}
{% for name, by in dict(groupings, all=[]).items() %}
{#- Some names in `columns` are names of segments. -#}
{% set plan = sqlrec.with_derived(sqlrec.plan_from_options(metrics, dict(options, by=by, usual=options.columns))) %}
{{ 'union all' if not loop.first }}
select
    model,
    {{ sqlrec.text(name) }} as {{ sqlrec.identifier('grouping') }},
    {%- for segment in options.by %}
    {{ 'null as ' if segment not in by }}{{ sqlrec.identifier(segment) }},
    {%- endfor %}
    metric, k, request, value, users, {{ (sqlrec.extra_columns(plan, options) + sqlrec.account_columns(plan)) | join(', ') }}
from (
{{ sqlrec.trusted_evaluation(plan, options, sqlrec.prune_statement(sqlrec.tidy_white_space(sqlrec.evaluation(plan)))) }}
) as of_grouping
{% endfor %}
{% endmacro %}

-- Additional columns of a value, over the same users.
{% macro extra_columns(plan, options) %}
{% set names = ['standard_error', 'low', 'high'] if plan.errors else [] %}
{{ return(names + sqlrec.read_summaries(options.summaries) | map('first') | list) }}
{% endmacro %}

-- Columns with the numbers of users, and with the order of rows that rules read.
{% macro account_columns(plan) %}
{% set orders = sqlrec.row_orders(plan).values() | select | list %}
{{ return(sqlrec.limits().accounts + sqlrec.weight_columns(plan) + (['row_order'] if orders else []) + ['violations']) }}
{% endmacro %}

-- The order of rows for the rules of each metric: a column; `rows` for the position of rows; `none`, with a warning, if
-- other rules replace these rules; empty if no rule reads the order.
{% macro row_orders(plan) %}
{% set orders = {} %}
{% for part in plan.parts or [plan] %}
{% for kind in part.kinds %}
{% for metric in kind.metrics %}{% do orders.update({metric.label: part.row_order}) %}{% endfor %}
{% endfor %}
{% endfor %}
{{ return(orders) }}
{% endmacro %}

-- Wraps a statement. The columns in `always_shown` are always returned; all other columns are null,
-- or raise an error, if rows break a rule. Both are expressions by column name.
{% macro apply_on_violation(statement, alias, always_shown, columns, options, joined='') %}
{% set broken = alias ~ '.violations' %}
select
    {%- for name, expression in columns.items() %}
    {{ expression if name in always_shown else 'case when ' ~ broken ~ ' > 0 then null else ' ~ expression ~ ' end' }} as {{ name }},
    {%- endfor %}
    {#- The text of the error depends on data, so no engine evaluates it too early. #}
    {%- set message = sqlrec.string(broken) ~ " || '" ~ sqlrec.limits().broken ~ "'" %}
    {%- set stop = adapter.dispatch('raise_violation', 'sqlrec')(broken, message) %}
    {{ 'case when ' ~ broken ~ ' > 0 then ' ~ stop ~ ' else ' ~ broken ~ ' end' if options.on_violation == 'fail' else broken }} as violations
from (
{{ statement }}
) as {{ alias }}
{{- joined }}
{% endmacro %}
{% macro default__raise_violation(violations, message) %}cast({{ message }} as bigint){% endmacro %}
{% macro spark__raise_violation(violations, message) %}cast(raise_error({{ message }}) as bigint){% endmacro %}
{% macro bigquery__raise_violation(violations, message) %}error({{ message }}){% endmacro %}
{% macro clickhouse__raise_violation(violations, message) %}{{ violations }} + throwIf({{ violations }} > 0, '{{ sqlrec.limits().broken }}'){% endmacro %}
{% macro sqlite__raise_violation(violations, message) %}cast(json({{ message }}) as bigint){% endmacro %}

{% macro trusted_evaluation(plan, options, statement) %}
{% set beside, accounts = sqlrec.extra_columns(plan, options), sqlrec.account_columns(plan) %}
{{ sqlrec.check_segment_names(options.by, beside) }}
{% set keys = sqlrec.group_labels(plan) + ['metric', 'k', 'request'] %}
{% set columns = sqlrec.each(keys + ['value', 'users'] + beside + accounts[:-1], 'evaluated.{}') %}
{#- A difference below this share of the values is a rounding error of their sums. -#}
{% set counted = 'coalesce(evaluated.deciding_users, evaluated.users)' if plan.weighed else 'evaluated.users' %}
{% set uncertain = 'evaluated.standard_error * sqrt(' ~ sqlrec.double(counted) ~ ') > 1e-12 * abs(evaluated.value)' %}
{% for name, limit in sqlrec.interval('evaluated.value', 'evaluated.standard_error', options).items() if plan.errors %}
{% do columns.update({name: 'case when ' ~ uncertain ~ ' then ' ~ limit ~ ' end'}) %}
{% endfor %}
{% set per_user_kinds = plan.kinds | selectattr('per_user') | list %}
{% set summaries = sqlrec.read_summaries(options.summaries) %}
{% set shares = summaries | map('last') | reject('none') | unique | list %}
{% for name, kind, share in summaries %}
{% set column = kind if share is none else kind ~ '_' ~ (shares.index(share) + 1) %}
{% do columns.update({name: 'summarized.' ~ column if per_user_kinds else 'cast(null as double)'}) %}
{% endfor %}
{% set orders = [] %}
{% for label, order in sqlrec.row_orders(plan).items() if order %}
{% do orders.append(" when '" ~ label ~ "' then " ~ sqlrec.text(order)) %}
{% endfor %}
{% do columns.update({'row_order': 'case evaluated.metric' ~ orders | join ~ ' end'}) if orders %}
{% set joined = sqlrec.summaries_joined(plan, shares) if summaries and per_user_kinds else '' %}
{{ sqlrec.apply_on_violation(statement, 'evaluated', keys + ['users'] + accounts, columns, options, joined) }}
{% endmacro %}

{% macro summaries_joined(plan, shares) %}
left join (
{{ sqlrec.prune_statement(sqlrec.tidy_white_space(sqlrec.summaries(dict(plan, quantiles=shares)))) }}
) as summarized
    on summarized.model = evaluated.model and summarized.metric = evaluated.metric
    and coalesce(summarized.k, 0) = coalesce(evaluated.k, 0)
    {%- for label in plan.by | map(attribute='label') %}
    and (summarized.{{ label }} = evaluated.{{ label }} or summarized.{{ label }} is null and evaluated.{{ label }} is null)
    {%- endfor %}
{% endmacro %}

{% macro trusted_users(plan, options, statement) %}
{% set keys = sqlrec.group_labels(plan) + ['user_id', 'metric', 'k', 'request'] %}
{{ sqlrec.apply_on_violation(statement, 'evaluated', keys, sqlrec.each(keys + ['value'], 'evaluated.{}'), options) }}
{% endmacro %}

{% macro trusted_comparison(plan, options, statement) %}
{% set keys = sqlrec.group_labels(plan) + ['metric', 'k'] %}
{% set always_shown = keys + ['request', 'users', 'better'] %}
{% set columns = sqlrec.each(keys + ['request', 'users'] + sqlrec.limits().comparison, 'compared.{}') %}
{% set compared = sqlrec.apply_on_violation(statement, 'compared', always_shown, columns, options) %}
{{ sqlrec.with_p_values(compared, columns, keys, options) }}
{% endmacro %}

-- The model and the segments, under the names of results.
{% macro group_labels(plan) %}{{ return(['model'] + plan.by | map(attribute='label') | list) }}{% endmacro %}

-- A limit of an interval from the normal distribution.
{% macro interval(value, error, options) %}
{% set reach = sqlrec.double(sqlrec.limits().reach[options.level | string]) ~ ' * ' ~ error %}
{{ return({'low': value ~ ' - ' ~ reach, 'high': value ~ ' + ' ~ reach}) }}
{% endmacro %}

-- The rows of an evaluation, or the rules that its inputs break.
{% macro no_violations_query(model, metrics, given) %}
{% if metrics is none %}{{ return('select * from ' ~ model ~ ' where violations > 0') }}{% endif %}
{% set recs = model if given.recs | string in ['None', 'none', ''] else given.recs %}
{{ return(sqlrec.call_statement('evaluate', metrics, dict(given, recs=recs, form='check'))) }}
{% endmacro %}

-- A row per broken rule: the input, the number of rows, an example, and a message with the fix.
{% macro violations(plan, options) %}
{{ sqlrec.require(not plan.parts, 'several_rules', title=plan.title) }}
{% set names, message = ['row_count', 'user_id', 'item_id', 'rank', 'model'], namespace(sql='message') %}
{% for name in names %}
{% set message.sql = 'replace(' ~ message.sql ~ ", '{" ~ name ~ "}', coalesce(" ~ sqlrec.string(name) ~ ", 'null'))" %}
{% endfor %}
select input, rule, {{ names | join(', ') }}, {{ message.sql }} as message
from (
    select
        {%- for column in ['input', 'message'] %}
        case violation
            {%- for violation, text in sqlrec.violation_messages().items() %}
            {%- set input = violation[:violation.find('_')] %}
            {%- set text = text | replace('{by}', options.by | join(' or ')) | replace('{largest}', plan.largest_relevance | string) %}
            {{ "when '" ~ violation ~ "' then " ~ sqlrec.text(input if column == 'input' else text) if plan[input] }}
            {%- endfor %}
        end as {{ column }},
        {%- endfor %}
        violation as rule, {{ names | join(', ') }}
    from (
{{ sqlrec.prune_statement(sqlrec.tidy_white_space(sqlrec.violation_rows(plan))) }}
    ) as broken_rules
) as violations
{% endmacro %}

-- The requested summaries, each with its name and its column, or with the kind and the share of a
-- quantile.
{% macro read_summaries(names) %}
{% set known, summaries = ['standard_deviation', 'min', 'max', 'zero_share'], [] %}
{% for name in (modules.re.findall('\\S+', names) if names is string else names) %}
{% set quantile = modules.re.findall('^(lower_)?(?:(median)|p([0-9]{1,2}(?:[.][0-9]+)?))$', name) %}
{{ sqlrec.require(quantile or name in known, 'summary', name=name, known=known | join(', ')) }}
{% set lower, median, percent = quantile[0] if quantile else ['', '', ''] %}
{% set share = 0.5 if median else (percent | float) / 100 if percent else none %}
{% do summaries.append([name, name if share is none else 'lower' if lower else 'quantile', share]) %}
{% endfor %}
{{ return(summaries) }}
{% endmacro %}

-- Checks that no segment has the name of another column of the result.
{% macro check_segment_names(by, taken) %}
{% for name in by if name | lower in taken %}{{ sqlrec.raise_error('by_taken', name=name) }}{% endfor %}
{% endmacro %}
