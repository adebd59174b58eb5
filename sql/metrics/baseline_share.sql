-- Baseline share: the share of the list that the baseline's list within k has too, from 0 to 1.
--
--      items within k of both lists
--     ------------------------------
--      places of the list within k
--
-- It is 1 - unexpectedness. Where the baseline has no list for the user, the value is 0.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools Intersection, with the baseline as ref_recs and no ref_k
-- Undefined for a user without a list, who is left out
-- Aliases   intersection
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro shown__baseline_share() %}
sum(expected) / list_length
{% endmacro %}
