-- F-beta: precision and recall in one number, their weighted harmonic mean, from 0 to 1.
--
--      (1 + beta^2) * precision * recall        (1 + beta^2) * hits within k
--     -----------------------------------  =  --------------------------------
--        beta^2 * precision + recall            beta^2 * relevant items + k
--
-- The mean of the users' values is not the F-beta of the mean precision and the mean recall, which some
-- libraries report: of=means has that.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    ranx f1
-- Params    beta = 1 above 0 to 1000000: how many times recall weighs as much as precision
--           of = users | means: the mean of the users' values, or the value of the mean precision and
--           the mean recall
-- Undefined never; without list or relevant item it is 0. Of means where nobody has a relevant item
-- Aliases   f1, f
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro judged__f_beta(beta=1, of='users') %}
{{ sqlrec.double(1 + beta * beta) }} * sum(hit) / ({{ sqlrec.double(beta * beta) }} * relevant_items + k)
{% endmacro %}

{% macro judged__f_beta__precision(beta=1, of='users') %}
{{ 'sum(hit) / k' if of == 'means' }}
{% endmacro %}

{% macro judged__f_beta__recall(beta=1, of='users') %}
{{ 'sum(hit) / nullif(relevant_items, 0)' if of == 'means' }}
{% endmacro %}

{% macro judged__f_beta__summary(column, beta=1, of='users') %}
{% if of == 'means' %}
{{ sqlrec.f_of_means(column, beta) }}
{% else %}
{{ sqlrec.mean(column) }}
{% endif %}
{% endmacro %}
