-- RBO weight: the share of the total weight of rank-biased overlap that is at the depths that both
-- lists reach, from 0 to 1.
--
--      1 - p^(n - 1) + (1 - p) / p * n * (-ln(1 - p) - sum over the depths d below n of p^d / d)
--
-- n is the length of the shorter of the two lists, both cut at k. The weight does not depend on the
-- items in the lists. Use it to choose p. If the baseline has no list for the user, the value is 0.
--
-- Source    Webber, Moffat & Zobel 2010, doi.org/10.1145/1852102.1852106: equation 21
-- Agrees    rbo 0.1.3 top_weightness
-- Params    p = 0.9 above 0 below 1: the probability of continuing from one depth to the next
-- Undefined for a user without a list, who is excluded
-- Aliases   top_weightedness
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro list_overlap__rbo_weight(p=0.9) %}
{% set weight = 'weight_' ~ sqlrec.in_name(p) %}
{% set weight_before = 'sum(case when depth < shorter then ' ~ weight ~ ' else 0 end)' %}
{% set before = '1 - ' ~ sqlrec.power_of_fraction(p, 'shorter - 1') %}
{% set last = '(1 - ' ~ sqlrec.double(p | float) ~ ') / ' ~ sqlrec.double(p | float) ~ ' * shorter * ' ~ sqlrec.weight_from(p, 'shorter', weight_before) %}
case
    when shorter > 0
    then {{ sqlrec.at_most(before ~ ' + ' ~ last, 1) }}
    else 0
end
{% endmacro %}
