-- Novelty: the share of the list that is not in the user's history, from 0 to 1.
--
--      ranks within k with an item that the user has not had
--     --------------------------------------------------
--                  length of the list within k
--
-- Source    RePlay 0.22, github.com/sb-ai-lab/RePlay
-- Agrees    RePlay Novelty with users=history
-- Params    divide_by = list_length | k: the length of the list within k, or the cutoff
--           users = recs | history: the mean is over users with a list, or over users of the
--           history; a user without a list then counts as 1
-- Undefined for a user without a list, who is excluded. With users=history, it is undefined instead
--           for a user without history, who is excluded, and if no user of the history has a list
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__novelty(divide_by='list_length', users='recs') %}
{% if users == 'history' %}
case when history_members > 0 then sum(1 - seen) / {{ divide_by }} end
{% else %}
sum(1 - seen) / {{ divide_by }}
{% endif %}
{% endmacro %}

{% macro recommended_items__novelty__members(divide_by='list_length', users='recs') %}
{{ 'history_members' if users == 'history' }}
{% endmacro %}

{% macro recommended_items__novelty__absent(divide_by='list_length', users='recs') %}
{{ 'cast(1 as double)' if users == 'history' }}
{% endmacro %}
