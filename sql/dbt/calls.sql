-- Made by docs/update.py: what people call. results.sql has what it does.

{% macro evaluate(
    metrics, recs=none, truth=none, history=none, catalog=none, items=none, users=none,
    baseline=none, logs=none, by=none, columns=none, where=none, k=none, convention=none,
    population=none, order=none, ties=none, duplicates=none, null_scores=none, seen=none,
    relevance_threshold=none, undefined=none, order_by=none, depth=none, groupings=none,
    interval=none, level=none, weights=none, summaries=none, form=none, on_violation=none,
    step=none, steps=none
) %}
{%- set given = {
    'recs': recs, 'truth': truth, 'history': history, 'catalog': catalog, 'items': items, 'users':
    users, 'baseline': baseline, 'logs': logs, 'by': by, 'columns': columns, 'where': where, 'k': k,
    'convention': convention, 'population': population, 'order': order, 'ties': ties, 'duplicates':
    duplicates, 'null_scores': null_scores, 'seen': seen, 'relevance_threshold':
    relevance_threshold, 'undefined': undefined, 'order_by': order_by, 'depth': depth, 'groupings':
    groupings, 'interval': interval, 'level': level, 'weights': weights, 'summaries': summaries,
    'form': form, 'on_violation': on_violation, 'step': step, 'steps': steps
} -%}
{{- sqlrec.check_names(kwargs, given | list) -}}
{{- sqlrec.answer('evaluate', metrics, given) -}}
{% endmacro %}

{% macro per_user(
    metrics, recs=none, truth=none, history=none, catalog=none, items=none, users=none,
    baseline=none, logs=none, by=none, columns=none, where=none, k=none, convention=none,
    population=none, order=none, ties=none, duplicates=none, null_scores=none, seen=none,
    relevance_threshold=none, undefined=none, order_by=none, depth=none, form=none,
    on_violation=none, step=none, steps=none
) %}
{%- set given = {
    'recs': recs, 'truth': truth, 'history': history, 'catalog': catalog, 'items': items, 'users':
    users, 'baseline': baseline, 'logs': logs, 'by': by, 'columns': columns, 'where': where, 'k': k,
    'convention': convention, 'population': population, 'order': order, 'ties': ties, 'duplicates':
    duplicates, 'null_scores': null_scores, 'seen': seen, 'relevance_threshold':
    relevance_threshold, 'undefined': undefined, 'order_by': order_by, 'depth': depth, 'form': form,
    'on_violation': on_violation, 'step': step, 'steps': steps
} -%}
{{- sqlrec.check_names(kwargs, given | list) -}}
{{- sqlrec.answer('per_user', metrics, given) -}}
{% endmacro %}

{% macro compare(
    metrics, recs=none, truth=none, history=none, catalog=none, items=none, users=none,
    baseline=none, logs=none, by=none, columns=none, where=none, k=none, convention=none,
    population=none, order=none, ties=none, duplicates=none, null_scores=none, seen=none,
    relevance_threshold=none, undefined=none, order_by=none, depth=none, level=none, weights=none,
    correction=none, form=none, on_violation=none, step=none, steps=none
) %}
{%- set given = {
    'recs': recs, 'truth': truth, 'history': history, 'catalog': catalog, 'items': items, 'users':
    users, 'baseline': baseline, 'logs': logs, 'by': by, 'columns': columns, 'where': where, 'k': k,
    'convention': convention, 'population': population, 'order': order, 'ties': ties, 'duplicates':
    duplicates, 'null_scores': null_scores, 'seen': seen, 'relevance_threshold':
    relevance_threshold, 'undefined': undefined, 'order_by': order_by, 'depth': depth, 'level':
    level, 'weights': weights, 'correction': correction, 'form': form, 'on_violation': on_violation,
    'step': step, 'steps': steps
} -%}
{{- sqlrec.check_names(kwargs, given | list) -}}
{{- sqlrec.answer('compare', metrics, given) -}}
{% endmacro %}

{% test no_violations(
    model, metrics=none, recs=none, truth=none, history=none, catalog=none, items=none, users=none,
    baseline=none, logs=none, by=none, columns=none, where=none, k=none, convention=none,
    population=none, order=none, ties=none, duplicates=none, null_scores=none, seen=none,
    relevance_threshold=none, undefined=none, order_by=none, depth=none
) %}
{%- set given = {
    'recs': recs, 'truth': truth, 'history': history, 'catalog': catalog, 'items': items, 'users':
    users, 'baseline': baseline, 'logs': logs, 'by': by, 'columns': columns, 'where': where, 'k': k,
    'convention': convention, 'population': population, 'order': order, 'ties': ties, 'duplicates':
    duplicates, 'null_scores': null_scores, 'seen': seen, 'relevance_threshold':
    relevance_threshold, 'undefined': undefined, 'order_by': order_by, 'depth': depth
} -%}
{{- sqlrec.check_names(kwargs, given | list) -}}
{{- sqlrec.no_violations_query(model, metrics, given) -}}
{% endtest %}
