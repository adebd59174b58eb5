-- Novelty: the share of the list that the user's history does not have, from 0 to 1.
--
--      places within k whose item the user has not had
--     --------------------------------------------------
--                  places of the list within k
--
-- Source    RePlay 0.22, github.com/sb-ai-lab/RePlay
-- Agrees    RePlay Novelty, over users with a list
-- Differs   RePlay, which averages over the users of the history, and counts 1 for one without list
-- Params    divide_by = list_length | k: the places of the list within k, or the cutoff
-- Undefined for a user without list, who is left out
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__novelty(divide_by='list_length') %}
{% if divide_by == 'k' %}
sum(1 - seen) / k
{% else %}
sum(1 - seen) / list_length
{% endif %}
{% endmacro %}
