-- R-Score: the utility of the lists for users who look at lower ranks less and less often, divided
-- by the utility of their best lists, from 0 to 1.
--
--                                       max(grade - neutral, 0)
--     R_u   =  sum over ranks of  ----------------------------------
--                                   2^((rank - 1) / (half_life - 1))
--
--     R     =  sum over users of R_u  /  sum over users of the R_u of their best lists
--
-- Half as many users look at rank half_life as at rank 1. A per-user value is the utility of
-- the list divided by the utility of the best list, of at most k of the user's items; users with a
-- more valuable best list count more.
--
-- Source    Breese et al. 1998, arxiv.org/abs/1301.7363, who report 100 times the value
-- Params    half_life = 5 above 1 to 1000000: the rank that half as many users look at as at rank 1
--           neutral = 0 from 0 to 1000000: the grade that has no value
--           mean = weighted | plain: weighted as above, or the mean of per-user values
-- Undefined for a user without an item with a grade above neutral
-- Aliases   half_life_utility
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__r_score(half_life=5, neutral=0, mean='weighted') %}
{% set ideal = 'ideal_utility_' ~ sqlrec.in_name(half_life) ~ '_' ~ sqlrec.in_name(neutral) %}
{{ sqlrec.share_of('sum(' ~ sqlrec.utility(half_life, neutral) ~ ')', ideal) }}
{% endmacro %}
{% macro hits__r_score__weight(half_life=5, neutral=0, mean='weighted') %}
{% if mean == 'weighted' %}
ideal_utility_{{ sqlrec.in_name(half_life) }}_{{ sqlrec.in_name(neutral) }}
{% endif %}
{% endmacro %}
