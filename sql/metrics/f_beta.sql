-- F-beta: precision and recall in one number, their weighted harmonic mean, from 0 to 1.
--
--      (1 + beta^2) * precision * recall        (1 + beta^2) * hits within k
--     -----------------------------------  =  --------------------------------
--        beta^2 * precision + recall            beta^2 * relevant items + k
--
-- The mean of the users' values, which is not the F-beta of the mean precision and the mean recall.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    ranx f1
-- Differs   libraries that take the F1 of the two means
-- Params    beta = 1: how many times recall weighs as much as precision, above 0
-- Undefined never; without list or relevant item it is 0
-- Aliases   f1, f
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro judged__f_beta(beta=1) %}
{{ sqlrec.double(1 + beta * beta) }} * sum(hit) / ({{ sqlrec.double(beta * beta) }} * relevant_items + k)
{% endmacro %}
