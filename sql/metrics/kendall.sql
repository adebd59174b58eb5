-- Kendall's tau: how well a user's scores and grades agree on the order of items, from -1 to 1.
--
--               concordant - discordant pairs
--     -------------------------------------------------
--      sqrt(pairs with different scores * pairs with different grades)
--
-- A pair is two rated items, which are in the user's list within k and in the truth. It is
-- concordant if the higher score has the higher grade. The value is 1 for the same order and -1 for
-- the reverse order; random scores give 0 on average. tau_a divides by all pairs, so it cannot
-- reach 1 if there are ties.
--
-- Source    Kendall 1938, doi.org/10.1093/biomet/30.1-2.81, with ties as in Kendall 1945,
--           doi.org/10.1093/biomet/33.3.239
-- Agrees    scipy kendalltau
-- Params    variant = tau_b | tau_a: with the correction for ties, or without
-- Undefined for a user with fewer than two rated items, who is excluded; with tau_b also if all
--           scores or all grades are equal, where tau_a is 0
-- Aliases   kendall_tau
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pair_counts__kendall(variant='tau_b') %}
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
