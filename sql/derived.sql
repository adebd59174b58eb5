-- Derived entries of a plan, which are computed from its rules and inputs, once per statement, in
-- sqlrec/rendering/templates.py and dbt/results.sql. Properties of rules are declared in sql/rules.
--
--   cutoff_names    the ends of the names of columns for each cutoff: its number, or `all`
--   groups          the keys of a value over all users
--   group_columns   the columns of rows for all users together, without counts
--   has_one_group   lists are identified by their ranks: at one cutoff, without segments and counts of users
--   user_keys       the keys of a user's value
--   is_one          there is a single metric at a single cutoff
--   mean_keys       the columns that order the rows of the plain form
--   cutoff_column   the cutoff of values, null for whole lists
--   segment_tables  the tables with segments; replicates are not in a table
--                   (sql/statistics/resampled.sql)
--   recs_lists, baseline_lists   the sources of lists, and the depths of reading (sql/inputs/recommendations.sql)
--   shares_ranks    items with equal scores share the discounts of their ranks
--   shared_columns  the columns of shared discounts, one per cutoff
--   rank_columns    the columns of ranks that only these rules have: shared discounts, and the rank of a line's item
--   reached_rank    the column that is compared with a cutoff
--   has_grades      items have different grades, or a threshold applies to them
--   is_ungraded     all gains of the truth are 1, so relevance is equal to hit
--   is_repeat       1 if a row of the truth, sorted by item, has the item of the row before, else 0; empty in most
--                   engines (engines/duckdb.sql)
--   gathers_ranks   the hits of lists are aggregated over lists and truth together (engines/duckdb.sql)
--   ranks_to_match  the query of the ranks in which hits are counted
--   items_of_user   the number of a user's items at a cutoff, with {} for `relevant_items` or `ideal_items`
--   integers        a query with the integers from 1 to the largest cutoff, or a few more
--   sorts_by_grade  the order of lists depends on the truth
--   checks_propensity   a metric divides by the truth's propensities, so missing and zero
--                       propensities are checked
--   checks_judgments_first   a rule removes repeated judgments, so invalid judgments are found
--                            before
--   counts_items_once   an item counts at most once in a list and among the user's items, so values are within the
--                   bounds of the papers

{% macro derived(plan) %}
{% set truth, is_shared = plan.truth, 'shares_discounts' in plan.properties.ties and plan.order == 'score' %}
{% set duplicates, of_truth = plan.properties.duplicates, plan.properties.truth_duplicates %}
{% set repeats, extends = 'repeats_are_relevant' in duplicates, 'extends_lists' in plan.properties.missing_items %}
{% set has_grades = truth and (truth.columns.relevance is not none or plan.relevance_threshold is not none) %}
{% set of_propensity = plan.kinds | selectattr('name', 'equalto', 'observed_feedback') | list %}
{% set checks_propensity = truth and truth.columns.propensity and ('propensity' in truth.needed or of_propensity) %}
{% set cutoff_names, shared_columns = {}, [] %}
{% for k in plan.cutoffs %}{% set _ = cutoff_names.update({k: 'all' if k == plan.whole_list else k}) %}{% endfor %}
{% for name in cutoff_names.values() if is_shared %}{% set _ = shared_columns.append('shared_' ~ name) %}{% endfor %}
{% set is_repeat = sqlrec.repeats_previous_row(plan, ['user_id']) | trim if plan.audit else '' %}
{% set one_list_by_rank = plan.order == 'rank' and plan.list_keys == ['user_id'] and not plan.lists %}
{% set gathers_ranks = adapter.type() == 'duckdb' and is_repeat and one_list_by_rank and plan.kinds | map(attribute='name') | list == ['hits'] and 'refuses_repeats' in duplicates and 'refuses_repeats' in of_truth and not extends %}
{#- The ranks to join with the truth: the first query with a true condition, else the lists. #}
{% set rank_queries = [] %}
{% for name, holds in [
    ('with_missing_items', extends),
    ('crossed', 'crosses_ranks' in duplicates),
    ('lines', 'ranks_rows' in of_truth),
    ('first_ranks', 'hits_once' in duplicates),
    ('numbered_ranks', gathers_ranks),
] if holds %}{% set _ = rank_queries.append(name) %}{% endfor %}
{% set ranks_to_match = rank_queries[0] if rank_queries else none %}
{% set segments = plan.by | map(attribute='name') | list %}
{% set key = [] if plan.k else ['k'] %}
{% set is_one = plan.k is not none and plan.kinds | length == 1 and plan.kinds[0].metrics | length == 1 %}
{{ return({
    'groups': (['model'] if 'model' in plan.list_keys else []) + segments + key,
    'group_columns': ['model', 'k'] + segments,
    'has_one_group': not plan.audit and plan.k is not none and not plan.by,
    'user_keys': plan.list_keys + segments + key,
    'is_one': is_one,
    'mean_keys': (['model'] if 'model' in plan.list_keys else []) + plan.by | map(attribute='label') | list
        + ([] if is_one else ['metric']) + ([] if plan.k else ['k']),
    'cutoff_column': 'cast(null as bigint) as k' if plan.k == plan.whole_list else plan.k ~ ' as k' if plan.k else 'nullif(k, ' ~ plan.whole_list ~ ') as k' if plan.whole_list in plan.cutoffs else 'k',
    'cutoff_names': cutoff_names,
    'segment_tables': plan.by | map(attribute='table') | reject('equalto', 'draws') | unique | sort | list,
    'recs_lists': sqlrec.derived_lists(plan, {
        'side': '',
        'table': 'recs',
        'title': 'Lists',
        'sources': plan.recs,
        'list_keys': plan.list_keys,
        'order': plan.order,
        'check_order': plan.check_order,
        'scored': plan.scored,
        'ties': plan.ties if plan.order == 'score' or 'depends_on_row_order' in plan.properties.ties else 'item_asc',
        'of_truth': plan.list_users == 'truth',
        'reach': 0,
    }),
    'baseline_lists': sqlrec.lists_of_baseline(plan, []) if plan.baseline else none,
    'shares_ranks': is_shared,
    'shared_columns': shared_columns,
    'rank_columns': shared_columns + (['list_rank'] if 'ranks_rows' in of_truth else []),
    'reached_rank': 'list_rank' if 'ranks_rows' in of_truth else 'rank',
    'has_grades': has_grades,
    'is_ungraded': not has_grades and 'refuses_repeats' in of_truth and not repeats,
    'is_repeat': is_repeat,
    'gathers_ranks': gathers_ranks,
    'ranks_to_match': ranks_to_match ~ ' as listed' if ranks_to_match else 'listed',
    'items_of_user': 'coalesce(relevant_copy_counts.{}, 0)' if repeats else 'truth_users.{}' if 'is_judged' in plan.properties.population
        else 'coalesce(truth_users.{}, 0)',
    'integers': sqlrec.integers_to(plan.largest_k) | trim if plan.largest_k and truth else '',
    'sorts_by_grade': 'sorts_by_grade' in plan.properties.ties and truth and plan.recs,
    'checks_propensity': checks_propensity,
    'checks_judgments_first': plan.audit and truth and (truth.columns.relevance or checks_propensity)
        and 'removes_repeats' in of_truth,
    'counts_items_once': 'keeps_repeats' not in duplicates + of_truth,
}) }}
{% endmacro %}
