-- Depths and lengths of lists: expressions, clauses and decisions for rows/ranked_lists.sql and the rules.

-- Lists, with entries that follow from the rules:
--
--   last_rank     the largest rank that metrics need. By some rules, relevant items also depend on
--                 ranks below the cutoffs
--   last_counted  the last rank that list lengths count. If a rule keeps ranks below the cutoffs, lists are counted
--                 and checked only within the cutoffs
--   is_cut        lists are cut at last_rank. Queries that read lists filter by rank too, so lists
--                 are cut only if this is faster or a rule requires it
--   is_dense      ranks have no gaps
--   shares_ranks  items with equal scores share the discounts of their ranks
--   keeps_equal_scores   all ranks of a score that begins within the cutoffs are kept
--   rows_ranked   the query of the rows to rank
--   by_score      the sort order, from the best score down. If a missing score is an error, it is
--                 sorted first, so that all cutoffs include it
--   among_equals  the sort order of equal scores
--   depends_on_row_order   a rule reads the order of rows
--   rules_of_rows rules for rows before repeats are removed (rules/duplicates.sql)
--   is_repeat     1 if a row has the same item as the row before, in the order of items, else 0;
--                 empty in most engines (engines/duckdb.sql)
--   marked        columns of lengths for several cutoffs (engines/duckdb.sql)
{% macro derived_lists(plan, lists) %}
{% set of_ties = plan.properties.ties if lists.ties == plan.ties else [] %}
{% set depth = none if 'depends_on_lower_ranks' in plan.properties.duplicates else plan.depth %}
{% set last_rank = [[depth or plan.whole_list, lists.reach] | max, plan.ends or plan.whole_list] | min %}
{% set shares, keeps = 'shares_discounts' in of_ties, 'keeps_equal_scores' in of_ties %}
{% set is_rule = plan.ends == last_rank and not shares %}
{% set _ = lists.update({
    'last_rank': last_rank,
    'last_counted': [plan.depth or last_rank, last_rank] | min if plan.audit else last_rank,
    'is_cut': last_rank < plan.whole_list and (plan.audit or is_rule or lists.order == 'rank'),
    'is_dense': lists.order == 'score' and not shares,
    'shares_ranks': shares,
    'keeps_equal_scores': keeps,
    'sorts_by_grade': 'sorts_by_grade' in of_ties,
    'rows_ranked': 'recommendations_with_grades' if 'sorts_by_grade' in of_ties else 'distinct_items',
    'by_score': sqlrec.descending('score', none if not plan.audit and plan.null_scores == 'error' else 'last' if plan.null_scores == 'last' else 'first'),
    'among_equals': sqlrec['ties__' ~ lists.ties](plan) if lists.sources else '',
    'depends_on_row_order': lists.order == 'score' and 'depends_on_row_order' in of_ties or 'depends_on_row_order' in plan.properties.duplicates,
}) %}
{#- Only if rows are checked. #}
{% set _ = lists.update({
    'rules_of_rows': sqlrec.rules_of_rows(plan, lists) if plan.audit else [],
    'marked': sqlrec.marked_lengths(plan, lists) if plan.audit else {},
    'is_repeat': sqlrec.repeats_previous_row(plan, lists.list_keys, 'item_id asc, rank asc') | trim if plan.audit else '',
}) %}
{{ return(lists) }}
{% endmacro %}

-- A clause for the ranks in recs that are read.
{% macro where_given(plan, lists) -%}
{%- if not plan.audit -%}
where given_rank {{ 'between 1 and ' ~ lists.last_rank if lists.is_cut else '>= 1' }}
{%- elif lists.is_cut -%}
where given_rank <= {{ lists.last_rank }} or given_rank is null
{%- endif -%}
{%- endmacro %}
-- A clause for the ranks of a list that count.
{% macro where_counted(plan, lists) -%}
{%- if 'numbered_ranks' in plan.used -%}
where rank >= 0
{%- elif lists.keeps_equal_scores and lists.last_rank < plan.whole_list -%}
where rank <= {{ lists.last_rank }}
{%- elif lists.last_counted < lists.last_rank -%}
where rank <= {{ lists.last_counted }}{{ ' or rank is null' if lists.order == 'rank' }}
{%- endif -%}
{%- endmacro %}

-- Terms with signs that count the broken rules of a list, except rules for ids.
{% macro broken_rules_of_list(plan, lists) %}
{{ '+ ' ~ ('sum(case when rank_before >= 0 then is_repeat else 0 end)' if 'numbered_ranks' in plan.used else 'sum(is_repeat)' if lists.is_repeat else 'count(item_id) - count(distinct item_id)') if 'refuses_repeats' in plan.properties.duplicates }}
        {{ '+ ' ~ sqlrec.repeated_ranks(lists.last_counted) if lists.order == 'rank' }}
        {{ '+ sum(rank_invalid)' if (lists.order == 'rank' or plan.null_scores == 'error') and not lists.rules_of_rows }}
        {{ '+ sum(order_conflict)' if lists.check_order }}
        {{ '+ sum(' ~ sqlrec.unscored(plan, lists.order) ~ ')' if lists.scored }}
{%- endmacro %}

-- An expression over the cutoffs and a table with columns for each cutoff: the value at k of
-- `ranks`, `tied` or `shared`.
{% macro at_cutoff(plan, name, table, k='cutoffs.k') -%}
{%- set lists = plan.baseline_lists if table == 'baseline_list_lengths' else plan.recs_lists -%}
{%- if name in lists.marked -%}
{{ lists.marked[name].at | replace('{marked}', table ~ '.' ~ name ~ '_marked') | replace('{k}', k) }}
{%- elif plan.k or k in plan.cutoffs -%}
{{ table }}.{{ name }}_{{ plan.cutoff_names[plan.k or k] }}
{%- else -%}
case {{ k }}{% for cutoff, end in plan.cutoff_names.items() %} when {{ cutoff }} then {{ table }}.{{ name }}_{{ end }}{% endfor %} end
{%- endif -%}
{%- endmacro %}

-- 1 if a score is too large for sums, or is missing in a list ordered by rank, for which no other
-- rule finds it; else 0.
{% macro unscored(plan, order) -%}
case when score between -1e100 and 1e100{{ ' or score is null' if order == 'score' or plan.null_scores != 'error' }} then 0 else 1 end
{%- endmacro %}
