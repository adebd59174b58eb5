-- Judged share: the share of the list that the truth judges, relevant or not, from 0 to 1.
--
--      judged ranks within k
--     --------------------------------
--      length of the list within k
--
-- If it is low, other metrics say more about the judgments than about the list. A grade below 0 is
-- not a judgment, unless it counts as relevant.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval; ir_measures 0.4, ir-measur.es
-- Agrees    ir_measures Judged
-- Differs   ir_measures on grades below 0, which it counts as judged
-- Params    divide_by = list_length | k: the length of the list within k, or the cutoff
-- Undefined for a user without a list
-- Aliases   judged
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__judged_share(divide_by='list_length') %}
{% if divide_by == 'k' %}
case when list_length > 0 then sum(is_judged) / k end
{% else %}
sum(is_judged) / nullif(list_length, 0)
{% endif %}
{% endmacro %}
