-- Kendall's tau: how well a user's scores and grades agree in the order of items, from -1 to 1.
--
--               concordant - discordant pairs
--     -------------------------------------------------
--      sqrt(pairs with different scores * pairs with different grades)
--
-- Pairs are of rated items, which stand in the user's list within k and in the truth: concordant
-- where the higher score has the higher grade. 1 is the same order, -1 its reverse, 0 the expected
-- value of random scores. tau_a divides by all pairs, and cannot reach 1 where there are ties.
--
-- Source    Kendall 1938, doi.org/10.1093/biomet/30.1-2.81, with ties as in Kendall 1945,
--           doi.org/10.1093/biomet/33.3.239
-- Agrees    scipy kendalltau
-- Params    variant = tau_b | tau_a: with the correction for ties, or without
-- Undefined for a user without two rated items, or with tau_b whose scores or grades are all equal,
--           who is left out; tau_a is 0 then
-- Aliases   kendall_tau
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro agreed__kendall(variant='tau_b') %}
{% if variant == 'tau_b' %}
sum(concordant - discordant)
/ nullif(
    sqrt(sum(concordant + discordant + tied_grade) * sum(concordant + discordant + tied_predicted)),
    0
)
{% else %}
sum(concordant - discordant)
/ nullif(sum(concordant + discordant + tied_grade + tied_predicted + tied_both), 0)
{% endif %}
{% endmacro %}
