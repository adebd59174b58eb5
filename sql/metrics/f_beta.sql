-- F-beta: the weighted harmonic mean of precision and recall, from 0 to 1.
--
--      (1 + beta^2) * precision * recall        (1 + beta^2) * hits within k
--     -----------------------------------  =  --------------------------------
--        beta^2 * precision + recall            beta^2 * relevant items + k
--
-- The mean of per-user values is not the F-beta of the mean precision and the mean recall, which
-- some libraries report; of=means computes the latter.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    ranx f1 with divide_by=k_or_length; RecTools F1Beta; Evidently FBetaTopK with of=means,
--           divide_by=known
-- Params    beta = 1 above 0 to 1000000: how many times as important recall is as precision
--           of = users | means: the mean of per-user values, or the F-beta of the mean precision
--           and the mean recall
--           divide_by = k | list_length | k_or_length | known: the divisor of precision, as in the
--           metric precision
-- Undefined never; without a list or a relevant item, the value is 0. With of=means, undefined if
--           no user has a relevant item
-- Aliases   f1, f, f1_score, f_measure
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__f_beta(beta=1, of='users', divide_by='k') %}
{% if divide_by == 'k' %}
{{ sqlrec.one_and_times(beta * beta, 'sum(hit)') }} / ({{ sqlrec.times(beta * beta, 'relevant_items') }} + k)
{% else %}
coalesce(
    {{ sqlrec.one_and_times(beta * beta, 'sum(hit)') }}
    / nullif({{ sqlrec.times(beta * beta, 'relevant_items') }} + {{ sqlrec.precision_ranks(divide_by) }}, 0),
    0
)
{% endif %}
{% endmacro %}

{% macro hits__f_beta__precision(beta=1, of='users', divide_by='k') %}
{{ sqlrec.hits__precision(divide_by) if of == 'means' }}
{% endmacro %}

{% macro hits__f_beta__recall(beta=1, of='users', divide_by='k') %}
{{ 'sum(hit) / nullif(relevant_items, 0)' if of == 'means' }}
{% endmacro %}

{% macro hits__f_beta__summary(column, beta=1, of='users', divide_by='k') %}
{% if of == 'means' %}
{{ sqlrec.f_of_means(column, beta) }}
{% else %}
{{ sqlrec.mean(column) }}
{% endif %}
{% endmacro %}
