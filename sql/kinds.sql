-- Kinds of rows: columns that are constant for a value, and the population of the mean.

-- The columns by which the values of a kind are grouped: the keys, counts of users, and other columns of its rows that are
-- constant for a value, if metrics read them.
{% macro kind_keys(plan, kind, used) %}
{% set constants = {
    'aspect_hits': (sqlrec.starting(used, 'ideal_alpha_') + sqlrec.starting(used, 'full_') if kind.name == 'aspect_hits' else []) + ['all_aspects', 'user_aspects'],
    'item_exposure': ['catalog_items', 'history_items'],
    'list_attention': ['relevant_items'],
    'list_categories': ['all_categories'],
    'list_features': ['repeated_pairs'],
    'list_overlap': ['baseline_length', 'shorter', 'longer', 'common', 'shorter_common', 'deepest'],
    'logged': ['recommended'],
    'recommended_items': ['relevant_items', 'baseline_length', 'history_users', 'history_items', 'history_pairs', 'history_events', 'catalog_items', 'history_members', 'baseline_members'],
    'target_items': ['relevant_items'],
} %}
{% if kind.name == 'logged' and plan.terms %}{{ return(plan.groups + ['user_id']) }}{% endif %}
{% set groups = sqlrec.user_groups(plan, used) if kind.per_user else plan.groups + sqlrec.accounts(plan, used) %}
{% if kind.name in ['hits', 'expected'] %}
{{ return(groups + sqlrec.entry_names(sqlrec.columns_of_user(plan, used)) | select('in', used) | reject('in', groups) | list) }}
{% endif %}
{{ return(groups + constants.get(kind.name, []) | select('in', used) | list) }}
{% endmacro %}

-- The population of the mean, as the value of the option.
{% macro kind_population(plan, kind) -%}
{{ {
    'category_distributions': 'recs', 'group_exposure': 'recs', 'item_exposure': 'recs', 'list_categories': 'recs', 'list_features': 'recs',
    'list_overlap': 'recs', 'observed_feedback': 'recs', 'paired': 'recs', 'recommended_items': 'recs', 'score_distribution': 'recs',
    'logged': 'logs',
    'pair_counts': 'rated', 'pooled': 'rated', 'rated': 'rated',
}.get(kind.name, plan.population) }}
{%- endmacro %}
