-- Combines all metrics of a call in one statement:
--
--   inputs -> rows -> metrics -> per-user values -> means
--
-- sqlrec/plan/plan.py lists the entries of the plan. A metric is the macro <rows>__<metric>, an
-- aggregate over the rows named <rows>. The macro <rows>(plan, kind, used) contains the queries of
-- the rows; the last query is named <rows>. sql/kinds.sql contains the columns that are constant
-- for a value, and the population of the mean.
--
-- If user_id is among the keys, each user has a value, and the result is the mean over users;
-- otherwise the result is the value over all users of a segment.
--
-- In addition to <rows>__<metric>, a metric may have <rows>__<metric>__summary, an expression over users that replaces
-- the mean, and parts that this expression reads: <rows>__<metric>__weight is the column <column>_weight. With a weight
-- and no summary, the mean is weighted.
--
-- Queries have all their columns and keys; sqlrec/rendering/prune.py removes unread parts. `used`
-- contains the names in later queries. Macros test it to choose sources of rows and families of
-- columns such as ideal_....

{% macro evaluation(plan) %}
{% if plan.audit or plan.parts %}
-- The mean over users of {{ plan.title }}.
{{ sqlrec.by_rules(plan, 'results' if plan.audit else 'means') }}
{{ sqlrec.in_order(plan) }}
{% else %}
{{ sqlrec.header_comment(plan) }}
{{ sqlrec.query_of_values(plan, 'means', sqlrec.means(plan)) }}
{{ 'order by ' ~ plan.mean_keys | join(', ') if plan.mean_keys }}
{% endif %}
{{ sqlrec.ending() }}
{% endmacro %}

-- Per-user values, before the mean.
{% macro user_evaluation(plan) %}
-- Each user's {{ plan.title }}.
{% if plan.audit or plan.parts %}
{{ sqlrec.by_rules(plan, 'user_results' if plan.audit else 'user_values') }}
{% else %}
{{ sqlrec.query_of_values(plan, 'user_values', sqlrec.values_of_users(plan)) }}
{% endif %}
{{ sqlrec.ending() }}
{% endmacro %}

-- The plan that the rows of a kind read: with the columns by which they are grouped, as a list and
-- as text.
{% macro with_row_keys(plan, columns) %}{{ return(dict(plan, key_columns=columns, row_keys=columns | join(', '))) }}{% endmacro %}

-- For each kind, one row per model, user and cutoff, or per model, segment and cutoff, with a
-- column for each metric and for each of its parts. The plain form shows each metric's source in a
-- comment.
{% macro values_of_rows(plan, kind) %}
{% set columns, filled, sources = sqlrec.metric_columns(plan, kind), sqlrec.filled_metrics(kind) if 'absent' in kind.metrics | map(attribute='parts') | sum(start=[]) else [], {} %}
{% for metric in kind.metrics if metric.source != 'none' and not plan.audit %}
{% set _ = sources.update({metric.column: '  -- ' ~ metric.source}) %}
{% endfor %}
{% set running = sqlrec.running_sums(plan, kind, columns) if plan.audit else none %}
{% set used = sqlrec.identifiers(columns.values() | join(' ')) + (['list_length'] if filled else []) + (['users_evaluated'] if not kind.per_user and not plan.drawn else []) + (['relevant_items', 'judged_items'] if plan.user_items and kind.name == 'hits' else []) %}
{% set keys = sqlrec.kind_keys(plan, kind, used) %}
{% set read, names = (used + keys) | unique | list, keys | join(', ') %}
{% set has_user_rows = kind.per_user and not (plan.terms and kind.name in sqlrec.limits().whole_kinds) %}
{% set user_keys = ['model', 'user_id', 'k'] + keys | select('in', plan.group_columns[2:] + ['list_length', 'tied']) | list %}
{% set plan_of_kind = sqlrec.with_row_keys(plan, user_keys if has_user_rows else plan.group_columns) %}
{% set rows = sqlrec.hits_by_running_sums(plan, read, running.sums) if running else sqlrec[kind.name](plan_of_kind, kind, read) %}
{% set columns = running.columns if running else columns %}
{% for name in sqlrec.column_names(columns.values() | join(', ')) if not modules.re.search('\\b' ~ name ~ '\\b', rows ~ names) %}
{#- The passes find such a column too, but only this error names the metric's file, in dbt too. #}
{% for column, expression in columns.items() if modules.re.search('\\b' ~ name ~ '\\b', expression) %}
{% for metric in kind.metrics if column == metric.column or column.startswith(metric.column ~ '_') and column[metric.column | length + 1:] in metric.parts %}
{{ exceptions.raise_compiler_error('metrics/' ~ metric.macro.split('__')[1] ~ '.sql: rows/' ~ kind.name ~ ".sql has no column '" ~ name ~ "': name one that its header lists, or make it there") }}
{% endfor %}
{% endfor %}
{% endfor %}
{{ rows }}
{{ kind.name }}_{{ 'known' if filled else 'unweighted' if plan.user_weights else 'values' }} as (
    select
        {{ names ~ ',' if keys }}
        {%- for name, expression in columns.items() %}
        {{ expression }} as {{ name }}{{ ',' if not loop.last }}{{ sources.get(name, '') }}
        {%- endfor %}
    from {{ kind.name }}
    {{ sqlrec.where_cutoffs(kind, plan) }}
    {{ 'group by ' ~ names if keys and not running }}
),
{{ sqlrec.filled_values(plan, kind, columns | list, filled) if filled }}
{{ sqlrec.weighted_values(plan, kind, sqlrec.user_groups(plan, ['list_length'] if filled else []), columns | list) if plan.user_weights }}
{%- endmacro %}

-- The rows of `results`, `means`, `user_results` or `user_values`, without order.
{% macro by_rules(plan, rows) %}
{{ '-- If the column violations is not 0, rows break a rule, and no value is valid.' if plan.audit }}
{{ sqlrec.rows_by_rules(plan, rows) }}
select {{ sqlrec.result_columns(plan, rows) }}
from {{ rows }}
{%- endmacro %}

-- These rows as named queries; the last query is named `rows`.
{% macro rows_by_rules(plan, rows) %}
{% if plan.user_results %}
{{ sqlrec.paired_results(plan) }}
{%- elif plan.parts %}
{{ sqlrec.rows_of_parts(plan, rows) }}
{%- elif rows in ['means', 'user_values'] %}
{{ sqlrec.query_of_values(plan, rows, rows ~ ' as (\n' ~ ((sqlrec.means(plan, true) if rows == 'means' else sqlrec.values_of_users(plan)) | trim | indent(4, true)) ~ '\n)') }}
{%- else %}
{{ sqlrec.query_of_values(plan, rows, sqlrec[rows ~ '_query'](plan)) }}
{%- endif %}
{%- endmacro %}

-- A query over the values of kinds, a named query or the last query, after the queries that it reads.
{% macro query_of_values(plan, rows, query) %}
{% set values %}
{% for kind in plan.kinds if kind.per_user or rows[:5] != 'user_' %}
{{ sqlrec.drawn_pooled(plan, kind) if plan.drawn and kind.name == 'pooled' else sqlrec.read_values(plan, kind) if plan.stored else sqlrec.values_of_rows(plan, kind) }}
{% endfor %}
{% endset %}
{% set queries = sqlrec.queries_read(plan, query, values) %}
with
{{ queries | trim | trim(',') if (query | trim)[:6] == 'select' else queries }}
{{ query }}
{%- endmacro %}

{% macro result_columns(plan, rows) -%}
{%- set errors = ['standard_error'] if plan.errors else [] -%}
{%- set summaries = [] -%}
{%- for _ in plan.summaries or [] -%}{%- set _ = summaries.append('summary_' ~ loop.index) -%}{%- endfor -%}
{%- set columns = {
    'user_values': ['user_id', 'metric', 'k', 'value'],
    'user_results': ['user_id', 'metric', 'k', 'request', 'value'] + (['added_numerator', 'added_denominator'] if plan.terms else [])
        + (['list_length', 'relevant_items', 'judged_items'] if plan.user_items else [])
        + (['violations'] if plan.audit else []),
    'user_columns': ['user_id', 'list_length', 'relevant_items', 'judged_items'] + (sqlrec.columns_of_bases(plan) if rows == 'user_columns' else []),
    'means': ['metric', 'k', 'value', 'users'] + errors,
    'results': (['grouping_number'] if plan.groupings else []) + ['metric', 'k', 'request', 'value', 'users'] + errors + summaries
        + ['population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows']
        + sqlrec.weight_columns(plan) + ['violations'],
}[rows] -%}
{{ sqlrec.wrap_entries(['model'] + plan.by | map(attribute='label') | list + columns, ',', '    ') }}
{%- endmacro %}

{% macro user_results_query(plan) %}
{% set kinds = plan.kinds | selectattr('per_user') | list %}
{{ sqlrec.violation_counts(plan) if plan.audit }}
{%- for kind in kinds %}
{{ sqlrec.requested_metrics(kind) }},
{%- endfor %}
user_results as (
    {%- for kind in kinds %}
    {{ 'union all' if not loop.first }}
    {%- set values, requests = kind.name ~ '_values', kind.name ~ '_requests' %}
    select
        {{ sqlrec.result_keys(plan, values, values) }}
        {{ values }}.user_id as user_id,
        {{ requests }}.metric as metric,
        nullif({{ requests }}.k, {{ plan.whole_list }}) as k,
        {{ requests }}.request as request,
        {{ sqlrec.requested_value(kind, values ~ '.') }} as value
        {%- for term in ['added_numerator', 'added_denominator'] if plan.terms %},
        {{ sqlrec.requested_term(kind, values ~ '.', term) }} as {{ term }}
        {%- endfor %}
        {#- Sums over all users have no list length. -#}
        {%- set length = 'cast(null as bigint)' if kind.name in sqlrec.limits().whole_kinds else values ~ '.list_length' %}
        {{- ', ' ~ length ~ ' as list_length' if plan.user_items }}
        {%- for name in ['relevant_items', 'judged_items'] if plan.user_items %},
        {{ values ~ '.' ~ name if kind.name == 'hits' else 'cast(null as bigint)' }} as {{ name }}
        {%- endfor %}
        {{- ', cast(violation_counts.violations as bigint) as violations' if plan.audit }}
    from {{ values }}
    {{ 'cross join ' ~ requests if plan.k else 'join ' ~ requests ~ ' on ' ~ requests ~ '.k = ' ~ values ~ '.k' }}
    {{ 'cross join violation_counts' if plan.audit }}
    {%- endfor %}
)
{%- endmacro %}

-- The queries that several kinds read, and the queries of the kinds, `values`. `sql` is the text that reads them.
-- Queries are written from the last to the first, so a query that no later query reads is omitted.
{% macro queries_read(plan, sql, values='') %}
{% set used, texts, read, pattern = sqlrec.identifiers(values ~ sql), [values], [], '(?:from|join) (\\w+)' %}
{% set plan_read = dict(plan, used=used, ideals=sqlrec.ideals(plan, used)) %}
{% set _ = read.extend(modules.re.findall(pattern, values ~ ' ' ~ sql)) %}
{#- The macros of these queries, each after those that it reads; another order is an error. Each has the names of the
queries that other macros read. #}
{% set segments = [] %}
{% for table in plan.segment_tables %}{% set _ = segments.append(table ~ '_segments') %}{% endfor %}
{% set lists = [('ranked_lists', ['listed', 'invalid_rows', 'distinct_items', 'recommended'])] if plan.recs and not plan.lists else [] %}
{% set truth = [('relevant', ['relevant', 'invalid_judgments']), ('first_judgments', ['first_judgments'])] if plan.truth else [] %}
{% set shared = (
    (truth + lists if plan.sorts_by_grade or plan.gathers_ranks else lists + truth)
    + ([('lengths_of_lists', ['list_lengths'])] if lists else [])
    + ([('truth_users', ['truth_users'])] if truth else [])
    + ([('baseline', ['baseline_listed', 'baseline_list_lengths', 'baseline_recommended', 'baseline_invalid_rows'])] if plan.baseline else [])
    + [
        ('history', ['interactions', 'item_counts', 'history_counts']),
        ('catalog', ['catalog_rows', 'catalog_counts']),
        ('item_features', ['item_attributes', 'item_prices', 'item_categories', 'listed_categories']),
        ('segments', segments),
        ('cutoffs_and_models', ['cutoffs', 'models']),
        ('user_weights', ['user_weights']),
        ('decisions', ['decisions']),
        ('recommended_lists', ['recommended_lists']),
        ('drawn_users', ['drawn_users']),
        ('item_vectors', ['item_vectors']),
        ('repeated_pairs', ['repeated_pairs']),
        ('crossed_ranks', ['crossed']),
        ('relevant_copies__' ~ plan.duplicates, ['relevant_copies', 'relevant_copy_counts']),
        ('lines', ['lines', 'line_counts']),
        ('perfect', ['perfect']),
        ('ideal_sums', ['ideal_sums']),
        ('population__' ~ plan.population, ['population']),
        ('evaluated_users', ['evaluated_users']),
        ('rated_items', ['rated_items']),
        ('unpriced', ['unpriced']),
        ('missing_items__' ~ plan.missing_items, ['with_missing_items']),
        ('first_ranks', ['first_ranks']),
        ('gathered_ranks', ['numbered_ranks']),
        ('best_lists', ['best_list_ranks', 'best_list_totals']),
    ]
) %}
{% set later, inputs = [], (plan.recs + [plan.truth, plan.history, plan.catalog, plan['items'], plan.users, plan.baseline, plan.logs]) | select | map(attribute='relation') | join(' ') %}
{% for macro, names in shared | reverse %}
{#- Inside the loop: dbt 2 evaluates a condition of the loop before names are added. #}
{% if names | select('in', read) | list %}
{% set _ = texts.insert(0, sqlrec[macro](plan_read)) %}
{% set sources = modules.re.findall(pattern, texts[0]) %}
{% set _ = read.extend(sources) %}
{% for name in later if name in sources and name not in inputs %}
{{ exceptions.raise_compiler_error('evaluate.sql: ' ~ macro ~ ' reads ' ~ name ~ ', a later query: write ' ~ macro ~ ' after it in queries_read') }}
{% endfor %}
{% endif %}
{% set _ = later.extend(names) %}
{% endfor %}
{{ texts | join('\n') }}
{% endmacro %}

-- The columns of values: each metric, its parts, and the effective sample size of its weights.
{% macro metric_columns(plan, kind) %}
{% set columns = {} %}
{% for metric in kind.metrics %}
{% set value = sqlrec.part(metric) | indent(8) %}
{% set _ = columns.update({metric.column: sqlrec.value_or_replacement(plan, value) if plan.without_list == 'undefined' or plan.undefined in ['zero', 'one'] else value}) %}
{% for part in metric.parts if part not in ['summary', 'absent'] + ([] if plan.errors else ['error']) + ([] if plan.terms else ['numerator', 'denominator']) %}
{% set expression = sqlrec.part(metric, part) | indent(8) %}
{% if expression %}{% set _ = columns.update({metric.column ~ '_' ~ part: expression}) %}{% endif %}
{% endfor %}
{% endfor %}
{#- Without grades relevance is equal to hit, and a single cutoff is a number. Text constants are unchanged: a name outside of
    them has an even number of apostrophes after it. #}
{% for name, expression in columns.items() %}
{% set expression = modules.re.sub('\\bat_most\\b', 'least' if plan.counts_items_once else 'coalesce', expression) %}
{% set expression = modules.re.sub('\\brelevance\\b', 'hit', expression) if kind.name == 'hits' and plan.is_ungraded else expression %}
{% set expression = modules.re.sub("\\bk\\b(?=[^']*(?:'[^']*'[^']*)*$)", plan.k | string, expression) if plan.k else expression %}
{% set _ = columns.update({name: expression}) %}
{% endfor %}
{% if kind.weighed and plan.audit %}
{% set weight = sqlrec.widest_weight(sqlrec.identifiers(columns.values() | join(' '))) %}
{% set _ = columns.update({'effective_decisions': sqlrec.effective_decisions(weight), 'largest_weight': 'max(' ~ weight ~ ')'}) %}
{% if plan.errors %}{% set _ = columns.update({'deciding_users': 'sum(1 / user_decisions)'}) %}{% endif %}
{% endif %}
{{ return(columns) }}
{% endmacro %}

-- A value, or its replacement if it is undefined.
{% macro value_or_replacement(plan, value) -%}
{%- if plan.without_list == 'undefined' -%}
{%- set value = 'case when list_length > 0 then ' ~ value ~ ' end' -%}
{%- endif -%}
{%- if plan.undefined in ['zero', 'one'] -%}
coalesce({{ value }}, {{ 1 if plan.undefined == 'one' else 0 }})
{%- else -%}
{{ value }}
{%- endif -%}
{%- endmacro %}

-- The value of a metric, or a part of it; empty if its parameters do not need it. In dbt, a project
-- may have custom metrics. dbt parses the text of dispatches, so a dispatch with a computed name is
-- written differently.
{% macro part(metric, part='') -%}
{%- set dispatch, name = adapter.dispatch, metric.macro ~ ('__' ~ part if part) -%}
{%- set macro = dispatch(name, 'sqlrec') if metric.own is defined else sqlrec[name] -%}
{{ (macro(metric.column, **metric.params) if part == 'summary' else macro(**metric.params)) | trim }}
{%- endmacro %}

-- Each requested metric with each cutoff and the text of the request. A join turns columns into rows, so engines that
-- compute a named query for each reference compute it only once.
{% macro requested_metrics(kind) %}
{{ kind.name }}_requests as (
    {%- for metric in kind.metrics %}
    {%- set outer = loop %}
    {%- for k in metric.cutoffs %}
    {{ 'union all' if not (outer.first and loop.first) }}
    select '{{ metric.label }}' as metric, '{{ metric.texts[loop.index0] }}' as request, {{ outer.index }} as number, cast({{ k }} as bigint) as k
    {%- endfor %}
    {%- endfor %}
)
{%- endmacro %}

-- The value of the requested metric, from columns with the metrics' names.
{% macro requested_value(kind, column) -%}
{%- if kind.metrics | length == 1 -%}
{{ column }}{{ kind.metrics[0].column }}
{%- else -%}
case {{ kind.name }}_requests.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ column }}{{ metric.column }}
            {%- endfor %}
        end
{%- endif -%}
{%- endmacro %}

{% macro in_order(plan) -%}
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}metric asc, k asc
{%- endmacro %}

-- The model and the segments under the names of results, as entries of a select before other entries.
{% macro result_keys(plan, models, segments) -%}
{{ models ~ '.model' if 'model' in plan.list_keys else "'recs'" }} as model,
        {%- for segment in plan.by %}
        {{ segments }}.{{ segment.name }} as {{ segment.label }},
        {%- endfor %}
{%- endmacro %}

-- The keys of per-user values.
{% macro user_groups(plan, used) %}
{% set counted = ['list_length'] + (['tied'] if plan.order == 'score' else []) %}
{{ return(plan.user_keys + (counted if plan.audit else counted | select('in', used) | list)) }}
{% endmacro %}

-- The counts of users that values over all users have.
{% macro accounts(plan, used) %}
{% set counted = ['users_evaluated', 'short_lists', 'ties_at_cutoff'] %}
{{ return(counted if plan.audit else counted | select('in', used) | list) }}
{% endmacro %}
