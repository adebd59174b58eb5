-- Kinds of rows: columns that are constant for a value, and the population of the mean.

-- The columns that group the values of a kind: the keys, counts of users, and other columns that
-- are constant for a value, if metrics read them.
{% macro kind_keys(plan, kind, used) %}
{% set constants = [
    'relevant_items', 'judged_items', 'nonrelevant_items', 'distinct_gains', 'exceeds_best_list', 'requested_length', 'baseline_length',
    'shorter', 'longer', 'common', 'shorter_common', 'deepest', 'history_users', 'history_items', 'history_pairs', 'history_events',
    'catalog_items', 'history_members', 'baseline_members', 'all_aspects', 'user_aspects', 'all_categories', 'repeated_pairs', 'recommended',
] %}
{% if kind.name == 'logged' and plan.terms %}{{ return(plan.groups + ['user_id']) }}{% endif %}
{% set groups = sqlrec.user_groups(plan, used) if kind.per_user else plan.groups + sqlrec.accounts(plan, used) %}
{% for name in used | unique if name not in groups and (name in constants or name[:6] == 'ideal_' or name[:5] == 'full_') %}
{% set _ = groups.append(name) %}
{% endfor %}
{{ return(groups) }}
{% endmacro %}

-- The population of the mean, as a value of the option population.
{% macro kind_population(plan, kind) -%}
{{ {
    'category_distributions': 'recs', 'group_exposure': 'recs', 'item_exposure': 'recs', 'list_categories': 'recs', 'list_features': 'recs',
    'list_overlap': 'recs', 'observed_feedback': 'recs', 'paired': 'recs', 'recommended_items': 'recs', 'score_distribution': 'recs',
    'logged': 'logs',
    'pair_counts': 'rated', 'pooled': 'rated', 'rated': 'rated',
}.get(kind.name, plan.population) }}
{%- endmacro %}
