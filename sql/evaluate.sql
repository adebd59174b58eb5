-- Fuses all metrics of the call into one statement:
--
--   inputs -> rows -> metrics -> per-user values -> means
--
-- The plan has what sqlrec/plan/plan.py lists. A metric is the macro <rows>__<metric>: one
-- aggregate over the rows of that name. For a kind of rows there are three macros:
--
--   <rows>(plan, kind, used)        the rows themselves, the last named query of which is called <rows>
--   <rows>_keys(plan, used)         the columns that are the same in all rows of a value
--   <rows>_population(plan)         who is averaged over, in a word
--
-- Where user_id is among the keys, each user has a value, and the mean over users is reported;
-- otherwise the value itself is, of all users of a segment together.
--
-- Beside <rows>__<metric> a metric may have <rows>__<metric>__summary, the expression over users that
-- stands in place of the mean, and parts that it is made of: <rows>__<metric>__weight gives the column
-- <column>_weight. With a weight and no summary the mean is weighted.
--
-- The statement is written from its end: `used` holds the names that stand in what comes later, and a query
-- or a column is there because it is named. So who was counted and which rules are broken (plan.audit) are
-- asked for as a metric asks for its columns, and without them the statement is the plain one.

{% macro evaluation(plan) %}
{% if plan.audit or plan.parts %}
-- The mean over users of {{ plan.title }}.
{{ sqlrec.by_rules(plan, 'results' if plan.audit else 'means') }}
{{ sqlrec.in_order(plan) }}
{% else %}
{{ sqlrec.said_first(plan) }}
{{ sqlrec.query_of_values(plan, 'means', sqlrec.means(plan), last=true) }}
{{ sqlrec.means_in_order(plan) }}
{% endif %}
{{ sqlrec.ending() }}
{% endmacro %}

-- The same values before the mean, a row each.
{% macro user_evaluation(plan) %}
-- Each user's {{ plan.title }}.
{% if plan.audit or plan.parts %}
{{ sqlrec.by_rules(plan, 'user_results' if plan.audit else 'user_values') }}
{% else %}
{{ sqlrec.query_of_values(plan, 'user_values', sqlrec.values_of_users(plan), last=true) }}
{% endif %}
{{ sqlrec.ending() }}
{% endmacro %}

-- The values of kinds, after the rows that they and the queries after them read.
{% macro all_values(plan, kinds, after) %}
{% set values %}
{% for kind in kinds %}
{{ sqlrec.drawn_pooled(plan, kind) if plan.drawn and kind.name == 'pooled' else sqlrec.kind_values(plan, kind) }}
{% endfor %}
{% endset %}
with
{{ sqlrec.shared_rows(plan, values ~ after) }}
{{ values }}
{%- endmacro %}

-- For each kind one row per model, user and cutoff, or per model, segment and cutoff: a column for
-- each metric and its parts. The plain form says where a metric comes from.
{% macro kind_values(plan, kind) %}
{{ sqlrec.read_values(plan, kind) if plan.stored else sqlrec.computed_values(plan, kind) }}
{%- endmacro %}

{% macro computed_values(plan, kind) %}
{% set columns, filled, sources = sqlrec.metric_columns(plan, kind), sqlrec.filled_metrics(kind), {} %}
{% for metric in kind.metrics if metric.source != 'none' and not plan.audit %}
{% set _ = sources.update({metric.column: '  -- ' ~ metric.source}) %}
{% endfor %}
{% set used = sqlrec.identifiers(columns.values() | join(' ')) + (['list_length'] if filled else []) + (['users_evaluated'] if not kind.of_users and not plan.drawn else []) + (['relevant_items', 'judged_items'] if plan.user_items and kind.name == 'hits' else []) %}
{% set keys = sqlrec[kind.name ~ '_keys'](plan, used) %}
{% set rows = sqlrec[kind.name](plan, kind, (used + keys) | unique | list) %}
{{ sqlrec.check_metric_columns(kind, columns, sqlrec.identifiers(rows.split('\n' ~ kind.name ~ ' as (')[-1]) + keys) }}
{{ rows }}
{{ kind.name }}_{{ 'known' if filled else sqlrec.values_name(plan) }} as (
    select
        {{ sqlrec.wrapped(keys) ~ ',' if keys }}
        {%- for name, expression in columns.items() %}
        {{ expression }} as {{ name }}{{ ',' if not loop.last }}{{ sources.get(name, '') }}
        {%- endfor %}
    from {{ kind.name }}
    {{ 'group by ' ~ sqlrec.wrapped(keys) if keys }}
),
{{ sqlrec.filled_values(plan, kind, columns | list, filled) if filled }}
{{ sqlrec.weighted_values(plan, kind, sqlrec.user_groups(plan, ['list_length'] if filled else []), columns | list) if plan.user_weights }}
{%- endmacro %}

-- What the values of a kind are called until users have weights.
{% macro values_name(plan) %}{{ 'unweighted' if plan.user_weights else 'values' }}{% endmacro %}

-- Refuses a metric that names a column which its rows do not have: `known` are the names in the last query of these,
-- which has its columns and what they are made of. A metric's parts follow its value.
{% macro check_metric_columns(kind, columns, known) %}
{% set files, file = {}, namespace(name='') %}
{% for metric in kind.metrics %}{% set _ = files.update({metric.column: metric.macro.split('__')[1]}) %}{% endfor %}
{% for column, expression in columns.items() %}
{% set file.name = files.get(column, file.name) %}
{% set place = 'metrics/' ~ file.name ~ '.sql: rows/' ~ kind.name ~ '.sql' %}
{{ sqlrec.check_read(place, sqlrec.columns_in(expression), known, 'name one that its header lists, or make it there') }}
{% endfor %}
{% endmacro %}

-- The rows of `results`, `means`, `user_results` or `user_values`, without order.
{% macro by_rules(plan, rows) %}
{{ '-- Where the column violations is not 0, rows break a rule, and no value is to be trusted.' if plan.audit }}
{{ sqlrec.rows_by_rules(plan, rows) }}
select {{ sqlrec.result_columns(plan, rows) }}
from {{ rows }}
{%- endmacro %}

-- The same as named queries, the last of which is called `rows`.
{% macro rows_by_rules(plan, rows) %}
{{ sqlrec.rows_of_parts(plan, rows) if plan.parts else sqlrec.query_of_values(plan, rows, sqlrec[rows ~ '_query'](plan)) }}
{%- endmacro %}

-- A query of the values of kinds, after theirs and the rows that they read: a named one, or the last.
{% macro query_of_values(plan, rows, query, last=false) %}
{% set values = sqlrec.all_values(plan, sqlrec.kinds_of(plan, rows), query) %}
{{ values | trim | trim(',') if last else values }}
{{ query }}
{%- endmacro %}

-- The kinds that have such rows.
{% macro kinds_of(plan, rows) %}
{{ return(plan.kinds | selectattr('of_users') | list if rows in ['user_results', 'user_values'] else plan.kinds) }}
{% endmacro %}

{% macro result_columns(plan, rows) -%}
{%- set errors = ['standard_error'] if plan.errors else [] -%}
{%- set summaries = [] -%}
{%- for _ in plan.summaries or [] -%}{%- set _ = summaries.append('summary_' ~ loop.index) -%}{%- endfor -%}
{%- set columns = {
    'user_values': ['user_id', 'metric', 'k', 'value'],
    'user_results': ['user_id', 'metric', 'k', 'asked', 'value'] + (['added_part', 'added_whole'] if plan.terms else [])
        + (['list_length'] if plan.lengths else []) + (['relevant_items', 'judged_items'] if plan.user_items else [])
        + (['violations'] if plan.audit else []),
    'means': ['metric', 'k', 'value', 'users'] + errors,
    'results': (['grouping_number'] if plan.groupings else []) + ['metric', 'k', 'asked', 'value', 'users'] + errors + summaries
        + ['population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows']
        + sqlrec.weight_columns(plan) + ['violations'],
}[rows] -%}
{{ sqlrec.wrapped(['model'] + plan.by | map(attribute='label') | list + columns, ',', '    ') }}
{%- endmacro %}

{% macro user_results_query(plan) %}
{% set kinds = sqlrec.kinds_of(plan, 'user_results') %}
{{ sqlrec.violation_counts(plan) if plan.audit }}
{%- for kind in kinds %}
{{ sqlrec.asked(kind) }},
{%- endfor %}
user_results as (
    {%- for kind in kinds %}
    {{ 'union all' if not loop.first }}
    {%- set values, asked = kind.name ~ '_values', kind.name ~ '_asked' %}
    select
        {{ sqlrec.groups_told(plan, values, values) }}
        {{ values }}.user_id as user_id,
        {{ asked }}.metric as metric,
        nullif({{ asked }}.k, {{ plan.whole_list }}) as k,
        {{ asked }}.asked as asked,
        {{ sqlrec.asked_value(kind, values ~ '.') }} as value
        {%- for term in ['added_part', 'added_whole'] if plan.terms %},
        {{ sqlrec.asked_term(kind, values ~ '.', term) }} as {{ term }}
        {%- endfor %}
        {#- Sums over all users have no lists of single users. -#}
        {%- set length = 'cast(null as bigint)' if kind.name in sqlrec.limits().whole_kinds else values ~ '.list_length' %}
        {{- ', ' ~ length ~ ' as list_length' if plan.lengths }}
        {%- for name in ['relevant_items', 'judged_items'] if plan.user_items %},
        {{ values ~ '.' ~ name if kind.name == 'hits' else 'cast(null as bigint)' }} as {{ name }}
        {%- endfor %}
        {{- ', cast(violation_counts.violations as bigint) as violations' if plan.audit }}
    from {{ values }}
    {{ 'cross join ' ~ asked if plan.k else 'join ' ~ asked ~ ' on ' ~ asked ~ '.k = ' ~ values ~ '.k' }}
    {{ 'cross join violation_counts' if plan.audit }}
    {%- endfor %}
)
{%- endmacro %}

-- The rows that several kinds read, as far as they are named, in this order. The last of them is written first, for
-- each may name others; inputs name none, and leave themselves out.
{% macro shared_rows(plan, sql) %}
{% set used, queries = sqlrec.identifiers(sql), [] %}
{% set inputs = ['baseline', 'history', 'catalog', 'item_features', 'segments'] %}
{% set named = [
    'cutoffs', 'models', 'user_weights', 'decisions', 'shown_lists', 'drawn_users', 'item_vectors', 'repeated_pairs', 'evaluated', 'rated_items', 'unpriced',
] %}
{% for rows in (['list_lengths', 'truth_users'] + inputs + named) | reverse if rows in inputs or rows in used %}
{#- Lists and users have a column where it is read of them: other rows may have one of that name. #}
{% set read = sqlrec.read_of(rows, sql ~ queries | join) if rows in ['evaluated', 'shown_lists'] else used %}
{% if rows == 'evaluated' %}
{% set query = sqlrec.evaluated(plan, used, read) %}
{% elif rows == 'truth_users' %}
{% set query = sqlrec.truth_users(plan, rows, used, used) %}
{% else %}
{% set query = sqlrec[rows](plan, read) %}
{% endif %}
{% set _ = used.extend(sqlrec.identifiers(query) if rows not in inputs else []) %}
{% set _ = queries.insert(0, query) %}
{% endfor %}
{{ sqlrec.lists_and_truth(plan, used) }}
{{ queries | join('\n') }}
{% endmacro %}

-- The places of lists, and the judgements of the truth. What the other is made with comes first.
{% macro lists_and_truth(plan, used) %}
{% set by_relevance = sqlrec.lists_by_relevance(plan) %}
{% set used = used + (['relevant', 'relevance', 'is_relevant'] if by_relevance else []) %}
{% set listed = sqlrec.listed(plan, used) if plan.recs and 'listed' in used else '' %}
{% set repeats = sqlrec.relevant_once(plan) != 'relevant' and 'relevant' in used %}
{% set orders = by_relevance and plan.truth_duplicates == 'error' %}
{% set first_judgments = sqlrec.first_judgments(plan, used) if repeats or orders else '' %}
{% set relevant = sqlrec.relevant(plan, used + sqlrec.identifiers(first_judgments)) if 'relevant' in used else '' %}
{% set of_truth = [relevant, first_judgments] %}
{{ (of_truth + [listed] if by_relevance or 'judged_places' in used else [listed] + of_truth) | join('\n') }}
{% endmacro %}

-- The columns of values: each metric, its parts, and what its weights are worth.
{% macro metric_columns(plan, kind) %}
{% set columns = {} %}
{% for metric in kind.metrics %}
{% set _ = columns.update({metric.column: sqlrec.defined(plan, sqlrec.macro_of(metric)(**metric.params) | trim | indent(8))}) %}
{% for part in metric.parts if part not in ['summary', 'absent'] + ([] if plan.errors else ['error']) + ([] if plan.terms else ['part', 'whole']) %}
{% set expression = sqlrec.part(metric, part) | indent(8) %}
{% if expression %}{% set _ = columns.update({metric.column ~ '_' ~ part: expression}) %}{% endif %}
{% endfor %}
{% endfor %}
{% for name, expression in columns.items() %}{% set _ = columns.update({name: sqlrec.over_rows(plan, kind, expression)}) %}{% endfor %}
{% if kind.weighed and plan.audit %}
{% set weight = sqlrec.widest_weight(sqlrec.identifiers(columns.values() | join(' '))) %}
{% set _ = columns.update({'effective_decisions': sqlrec.effective_decisions(weight), 'largest_weight': 'max(' ~ weight ~ ')'}) %}
{% if plan.errors %}{% set _ = columns.update({'deciding_users': 'sum(1 / user_decisions)'}) %}{% endif %}
{% endif %}
{{ return(columns) }}
{% endmacro %}

-- The macro of a metric, or of a part of it; in dbt a metric may be one of the project. dbt reads the text of
-- a dispatch, so that one by a name which is put together has to look otherwise.
{% macro macro_of(metric, part='') %}
{% set dispatch = adapter.dispatch %}
{{ return(dispatch(metric.macro ~ part, 'sqlrec') if metric.own is defined else sqlrec[metric.macro ~ part]) }}
{% endmacro %}

-- A metric's expression over rows of a kind. Where the truth has no grades, relevance and hit are the same, and hit
-- is what is printed.
{% macro over_rows(plan, kind, expression) %}
{% set bound = sqlrec.least('', '').split('(')[0] if sqlrec.counts_items_once(plan) else 'coalesce' %}
{% set expression = modules.re.sub('\\bat_most\\b', bound, expression) %}
{{ return(sqlrec.at_k(plan, modules.re.sub('\\brelevance\\b', 'hit', expression) if kind.name == 'hits' and sqlrec.is_ungraded(plan) else expression)) }}
{% endmacro %}
{% macro is_ungraded(plan) %}
{{ return(not plan.truth.columns.relevance and plan.relevance_threshold is none and plan.truth_duplicates == 'error' and not sqlrec.seeks_again(plan)) }}
{% endmacro %}

-- An expression in which the one cutoff of the call is a number. Text constants stay as they are: what
-- stands outside of them has an even number of apostrophes behind it.
{% macro at_k(plan, expression) %}
{{ return(modules.re.sub("\\bk\\b(?=[^']*(?:'[^']*'[^']*)*$)", plan.k | string, expression) if plan.k else expression) }}
{% endmacro %}

-- A value, or what counts where it is not defined.
{% macro defined(plan, value) -%}
{%- if plan.without_list == 'undefined' -%}
{%- set value = 'case when list_length > 0 then ' ~ value ~ ' end' -%}
{%- endif -%}
{%- if plan.undefined in ['zero', 'one'] -%}
coalesce({{ value }}, {{ 1 if plan.undefined == 'one' else 0 }})
{%- else -%}
{{ value }}
{%- endif -%}
{%- endmacro %}

-- A part of a metric: empty where its parameters do without.
{% macro part(metric, part) -%}
{{ sqlrec.macro_of(metric, '__' ~ part)(**metric.params) | trim }}
{%- endmacro %}

-- Each metric asked with each of its cutoffs, and as it was written: columns become rows by a join, so
-- that engines which compute a named query once for each mention compute it once.
{% macro asked(kind) %}
{{ kind.name }}_asked as (
    {%- for metric in kind.metrics %}
    {%- set outer = loop %}
    {%- for k in metric.cutoffs %}
    {{ 'union all' if not (outer.first and loop.first) }}
    select '{{ metric.label }}' as metric, '{{ metric.texts[loop.index0] }}' as asked, {{ outer.index }} as number, cast({{ k }} as bigint) as k
    {%- endfor %}
    {%- endfor %}
)
{%- endmacro %}

-- The value of the metric asked, of columns named alike.
{% macro asked_value(kind, column) -%}
{%- if kind.metrics | length == 1 -%}
{{ column }}{{ kind.metrics[0].column }}
{%- else -%}
case {{ kind.name }}_asked.number
            {%- for metric in kind.metrics %}
            when {{ loop.index }} then {{ column }}{{ metric.column }}
            {%- endfor %}
        end
{%- endif -%}
{%- endmacro %}

{% macro in_order(plan) -%}
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}metric asc, k asc
{%- endmacro %}

-- The model and the segments under the names of results, as entries of a select that goes on.
{% macro groups_told(plan, models, segments) -%}
{{ models ~ '.model' if 'model' in plan.list_keys else "'recs'" }} as model,
        {%- for segment in plan.by %}
        {{ segments }}.{{ segment.name }} as {{ segment.label }},
        {%- endfor %}
{%- endmacro %}

-- What values of all users together are grouped by.
{% macro groups(plan) %}
{{ return(sqlrec.with_cutoff(plan, (['model'] if 'model' in plan.list_keys else []) + plan.by | map(attribute='name') | list)) }}
{% endmacro %}

-- What per-user values are grouped by.
{% macro user_groups(plan, used) %}
{% set counted = ['list_length'] + (['tied'] if plan.order == 'score' else []) %}
{{ return(
    sqlrec.with_cutoff(plan, plan.list_keys + plan.by | map(attribute='name') | list)
    + (counted if plan.audit else counted | select('in', used) | list)
) }}
{% endmacro %}

-- What values of all users together are grouped by, with who was counted.
{% macro whole_groups(plan, used) %}
{{ return(sqlrec.groups(plan) + sqlrec.accounts(plan, used)) }}
{% endmacro %}
{% macro accounts(plan, used) %}
{% set counted = ['users_evaluated', 'short_lists', 'ties_at_cutoff'] %}
{{ return(counted if plan.audit else counted | select('in', used) | list) }}
{% endmacro %}

-- The columns of lists that accounts are made of.
{% macro columns_of_accounts(plan, accounts) %}
{{ return((['list_length'] if 'short_lists' in accounts else []) + (['tied'] if 'ties_at_cutoff' in accounts and plan.order == 'score' else [])) }}
{% endmacro %}

-- 1 in one place of each list, by which lists are counted among places: an expression over these.
{% macro first_of_list(keys, rank) -%}
case
            when
                row_number() over (
                    partition by {{ keys }} order by {{ rank }} asc
                ) = 1
            then 1
            else 0
        end
{%- endmacro %}
