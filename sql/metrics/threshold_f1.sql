-- Threshold F1: the harmonic mean of threshold precision and threshold recall, from 0 to 1.
--
--      2 * precision * recall
--     ------------------------
--       precision + recall
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7, for the harmonic mean
-- Params    threshold = 3.5 from -1000000 to 1000000: the smallest score and grade that count
--           of = users | means: the mean of per-user values, or the value of the mean precision and
--           the mean recall
-- Undefined never; if precision and recall are 0, the value is 0
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro graded__threshold_f1(threshold=3.5, of='users') %}
coalesce(
    2 * {{ sqlrec.found_items(threshold) }}
    / nullif({{ sqlrec.predicted_items(threshold) }} + {{ sqlrec.items_with_grade(threshold) }}, 0),
    0
)
{% endmacro %}

{% macro graded__threshold_f1__precision(threshold=3.5, of='users') %}
{% if of == 'means' %}
coalesce({{ sqlrec.found_items(threshold) }} / nullif({{ sqlrec.predicted_items(threshold) }}, 0), 0)
{% endif %}
{% endmacro %}

{% macro graded__threshold_f1__recall(threshold=3.5, of='users') %}
{% if of == 'means' %}
coalesce({{ sqlrec.found_items(threshold) }} / nullif({{ sqlrec.items_with_grade(threshold) }}, 0), 0)
{% endif %}
{% endmacro %}

{% macro graded__threshold_f1__summary(column, threshold=3.5, of='users') %}
{% if of == 'means' %}
{{ sqlrec.f_of_means(column, 1) }}
{% else %}
{{ sqlrec.mean(column) }}
{% endif %}
{% endmacro %}
