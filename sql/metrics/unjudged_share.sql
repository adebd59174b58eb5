-- Unjudged share: the share of the list that the truth does not judge, from 0 to 1.
--
--      ranks within k without a judgment
--     -----------------------------------
--      length of the list within k
--
-- A grade below 0 is not a judgment, unless it counts as relevant.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval 10 unj with divide_by=k, which is the same for lists of at least k items
-- Params    divide_by = list_length | k: the length of the list within k, or the cutoff
-- Undefined for a user without a list
-- Aliases   unjudged, unj
-- Better    lower
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__unjudged_share(divide_by='list_length') %}
{% if divide_by == 'k' %}
case when list_length > 0 then (list_length - sum(is_judged)) / k end
{% else %}
(list_length - sum(is_judged)) / nullif(list_length, 0)
{% endif %}
{% endmacro %}
