-- Depths and lengths of lists: expressions, clauses and decisions for rows/listed.sql and the rules.

-- True if a value of a rule has a property, which its file in sql/rules declares.
{% macro has_property(rule, value, property) %}{{ return(property in sqlrec[rule ~ '_properties']().get(value, [])) }}{% endmacro %}

-- The largest rank that metrics need. With some rules, relevant items also depend on ranks below
-- the cutoffs.
{% macro last_rank(plan, lists) %}
{% set depth = none if sqlrec.has_property('duplicates', plan.duplicates, 'reads_whole_list') else plan.depth %}
{{ return([[depth or plan.whole_list, lists.reach] | max, plan.ends or plan.whole_list] | min) }}
{% endmacro %}

-- The last rank that list lengths count. Lists that a rule keeps below the cutoffs are counted and checked only
-- within them.
{% macro last_counted(plan, lists) %}
{% set last_rank = sqlrec.last_rank(plan, lists) %}
{{ return([plan.depth or last_rank, last_rank] | min if plan.audit else last_rank) }}
{% endmacro %}

-- True if lists are cut here. Readers filter by rank too, so lists are cut only if that is faster,
-- or if a rule requires it.
{% macro is_cut(plan, lists) %}
{% set last_rank = sqlrec.last_rank(plan, lists) %}
{% set is_rule = plan.ends == last_rank and lists.ties != 'shared' %}
{{ return(last_rank < plan.whole_list and (plan.audit or is_rule or lists.order == 'rank')) }}
{% endmacro %}
{% macro where_given(plan, lists) -%}
{%- set last_rank = sqlrec.last_rank(plan, lists) if sqlrec.is_cut(plan, lists) else none -%}
{%- if not plan.audit -%}
where given_rank {{ 'between 1 and ' ~ last_rank if last_rank else '>= 1' }}
{%- elif last_rank -%}
where given_rank <= {{ last_rank }} or given_rank is null
{%- endif -%}
{%- endmacro %}
{% macro where_kept(plan, lists) -%}
{%- set last_rank = sqlrec.last_rank(plan, lists) -%}
{%- if sqlrec.is_cut(plan, lists) -%}
where {{ 'ranks_above < ' ~ last_rank if lists.ties == 'expected' else 'rank <= ' ~ last_rank }}
{{- ' or ' ~ sqlrec.column_at(plan, 'shared', plan.depth) ~ ' > 0' if lists.ties == 'shared' and plan.depth == last_rank }}
{%- endif -%}
{%- endmacro %}

-- The query of the rows to rank.
{% macro rows_ranked(lists) %}{{ 'recommendations_with_grades' if sqlrec.has_property('ties', lists.ties, 'sorts_by_grade') else 'distinct_items' }}{% endmacro %}

-- The rank of a row, null if it breaks a rule.
{% macro checked_rank(plan) %}{{ 'case when given_rank >= 1 then given_rank end' if plan.audit else 'given_rank' }}{% endmacro %}

-- Scores from the best down.
{% macro by_score(plan) -%}
{#- If a missing score is an error, it is sorted first, so that every cutoff includes it. #}
{{- sqlrec.largest_first('score') if not plan.audit and plan.null_scores == 'error' else sqlrec.descending('score', 'last' if plan.null_scores == 'last' else 'first') }}
{%- endmacro %}

-- A clause for the ranks of a list that count.
{% macro where_counted(plan, lists, used) -%}
{%- set last_rank, last_counted = sqlrec.last_rank(plan, lists), sqlrec.last_counted(plan, lists) -%}
{%- if 'judged_ranks' in used -%}
where rank >= 0
{%- elif lists.ties == 'expected' and last_rank < plan.whole_list -%}
where rank <= {{ last_rank }}
{%- elif last_counted < last_rank -%}
where rank <= {{ last_counted }}{{ ' or rank is null' if lists.order == 'rank' }}
{%- endif -%}
{%- endmacro %}

-- The number of items of a list within a cutoff, and whether it is tied there. Computed ranks have no gaps.
{% macro length_within(plan, lists, k) -%}
{%- set last_counted = sqlrec.last_counted(plan, lists) -%}
{%- if plan.audit -%}
{{ sqlrec.ranks_within(k, last_counted, sqlrec.is_dense(lists)) }}
{%- else -%}
{{ sqlrec.row_count('*') if k == plan.whole_list else sqlrec.default__ranks_within(k, last_counted) }}
{%- endif -%}
{%- endmacro %}
{% macro tie_at(plan, lists, k) %}{{ sqlrec.value_at_rank(k, 'tied', sqlrec.last_counted(plan, lists)) if lists.order == 'score' else 0 }}{% endmacro %}
{% macro is_dense(lists) %}{{ return(lists.order == 'score' and lists.ties != 'shared') }}{% endmacro %}

-- The columns of list lengths: expressions by name.
{% macro columns_of_lengths(plan, lists) %}
{% set columns, marked = {}, sqlrec.marked_lengths(plan, lists) %}
{% for name, mark in marked.items() %}{% set _ = columns.update({name ~ '_marked': mark.column}) %}{% endfor %}
{% for k in plan.cutoffs if not marked %}{% set _ = columns.update({sqlrec.column_at(plan, 'ranks', k): sqlrec.length_within(plan, lists, k)}) %}{% endfor %}
{% for k in plan.cutoffs if not marked %}{% set _ = columns.update({sqlrec.column_at(plan, 'tied', k): sqlrec.tie_at(plan, lists, k)}) %}{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- The number of broken rules, except those of ids: sums that are added.
{% macro broken_rules_of_list(plan, lists, used) %}
{{ '+ ' ~ ('sum(case when rank_before >= 0 then is_repeat else 0 end)' if 'judged_ranks' in used else sqlrec.repeated_items(plan, lists.list_keys)) if plan.duplicates == 'error' }}
        {{ '+ ' ~ sqlrec.repeated_ranks(sqlrec.last_counted(plan, lists)) if lists.order == 'rank' }}
        {{ '+ sum(rank_invalid)' if (lists.order == 'rank' or plan.null_scores == 'error') and not sqlrec.rules_of_rows(plan, lists) }}
        {{ '+ sum(order_conflict)' if lists.check_order }}
        {{ '+ sum(' ~ sqlrec.unscored(plan, lists.order) ~ ')' if lists.scored }}
{%- endmacro %}

-- The number of repeated items of a list, or of a user of the truth: an expression over their rows.
{% macro repeated_items(plan, keys) -%}
{{ 'sum(is_repeat)' if sqlrec.repeats_previous_row(plan, keys) | trim else 'count(item_id) - count(distinct item_id)' }}
{%- endmacro %}

-- The column of a list that belongs to a cutoff: `ranks` or `tied`.
{% macro column_at(plan, name, k) -%}
{{ name }}_{{ 'all' if k == plan.whole_list else k }}
{%- endmacro %}

-- The value of such columns at k: an expression over their table and the cutoffs.
{% macro at_cutoff(plan, name, table, k='cutoffs.k') -%}
{%- set marked = sqlrec.marked_lengths(plan, sqlrec.lists_of_baseline(plan, []) if table == 'baseline_list_lengths' else sqlrec.lists_of(plan)) -%}
{%- if name in marked -%}
{{ marked[name].at | replace('{marked}', table ~ '.' ~ name ~ '_marked') | replace('{k}', k) }}
{%- elif plan.k or k in plan.cutoffs -%}
{{ table }}.{{ sqlrec.column_at(plan, name, plan.k or k) }}
{%- else -%}
case {{ k }}{% for cutoff in plan.cutoffs %} when {{ cutoff }} then {{ table }}.{{ sqlrec.column_at(plan, name, cutoff) }}{% endfor %} end
{%- endif -%}
{%- endmacro %}

-- 1 if a score is invalid, else 0: too large for sums, or missing in a list ordered by rank, where
-- no other rule finds it.
{% macro unscored(plan, order) -%}
case when score between {{ sqlrec.double(-1e100) }} and {{ sqlrec.double(1e100) }}{{ ' or score is null' if order == 'score' or plan.null_scores != 'error' }} then 0 else 1 end
{%- endmacro %}

{% macro whose_lists(lists) %}{{ "The baseline's lists" if lists.side == 'baseline_' else 'Lists' }}{% endmacro %}
{% macro equal_scores(lists) -%}
; equal scores {{ {
    'first': 'by row', 'best': 'the most relevant first', 'worst': 'the least relevant first', 'item_desc': 'by item, from the last',
    'text_asc': 'by item as text', 'text_desc': 'by item as text, from the last',
}.get(lists.ties, 'by item') }}
{%- endmacro %}

-- The length of a list within the cutoff: an expression.
{% macro length_of_list(plan) %}{{ 'line_counts.list_length' if plan.truth_duplicates == 'lines' else sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', 'population.k') }}{% endmacro %}

-- The columns that are constant for a user and cutoff.
{% macro hits_keys(plan, used) %}
{{ return(sqlrec.hits_constants(plan, used) + ['requested_length', 'catalog_items'] | select('in', used) | list) }}
{% endmacro %}
{% macro hits_constants(plan, used) %}
{{ return(
    sqlrec.user_groups(plan, used) + ['relevant_items', 'judged_items', 'nonrelevant_items', 'distinct_gains', 'exceeds_best_list'] | select('in', used) | list
    + sqlrec.ideal_names(used)
) }}
{% endmacro %}
