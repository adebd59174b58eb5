-- RBP residual: how much higher RBP would be if all unjudged ranks were relevant, from 0 to 1.
--
--     1 - (1 - p) * sum over the judged ranks within k of  p^(rank - 1)
--
-- Ranks past k and past the end of the list are unjudged, too.
--
-- Source    Moffat & Zobel 2008, doi.org/10.1145/1416950.1416952
-- Agrees    trec_eval 10 rbp_resid with all_judged=zero and p=0.9
-- Params    p = 0.8 above 0 below 1: the probability of continuing, as in rbp
--           all_judged = past_list | zero: the value if all ranks of the list within k are judged,
--           or the list is empty: the weight of the ranks past them, or 0
-- Undefined never; without a list, the value is 1, or 0 with all_judged=zero
-- Aliases   rbp_resid
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__rbp_residual(p=0.8, all_judged='past_list') %}
{% set judged = '(1 - ' ~ sqlrec.double(p | float) ~ ') * sum(is_judged * ' ~ sqlrec.power_of_fraction(p, 'rank - 1') ~ ')' %}
{% set value = '1 - ' ~ sqlrec.at_most(judged, 1) %}
{% if all_judged == 'zero' %}
case when list_length > sum(is_judged) then {{ value }} else 0 end
{% else %}
{{ value }}
{% endif %}
{% endmacro %}
