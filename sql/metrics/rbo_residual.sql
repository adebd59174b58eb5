-- RBO residual: how much the rank-biased overlap could still grow with items past the ends of the
-- two lists, from 0 to 1.
--
--     RBO if all items past the ends are in both lists  -  RBO if no such item is in both
--
-- rbo(form=minimum) is the lower bound, and the upper bound is the lower bound plus the residual.
-- If the baseline has no list for the user, nothing is known, and the value is 1.
--
-- Source    Webber, Moffat & Zobel 2010, doi.org/10.1145/1852102.1852106: equation 30
-- Differs   dlukes/rbo for lists of unequal length: its bounds can exceed 1
-- Params    p = 0.9 above 0 below 1: the probability of continuing from one depth to the next
-- Undefined for a user without a list, who is excluded
-- Aliases   rbo_res
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro list_overlap__rbo_residual(p=0.9) %}
{#- The number of items in either list. #}
{% set items = 'shorter + longer - common' %}
{% set weight = 'weight_' ~ sqlrec.in_name(p) %}
{% set weight_before = 'sum(case when depth <= longer then ' ~ weight ~ ' else 0 end)' %}
{% set value %}
{{ sqlrec.power_of_fraction(p, 'shorter') }} + {{ sqlrec.power_of_fraction(p, 'longer') }} - {{ sqlrec.power_of_fraction(p, items) }}
- (1 - {{ sqlrec.double(p | float) }}) / {{ sqlrec.double(p | float) }} * (
    shorter * sum(case when depth > shorter and depth <= longer then {{ weight }} else 0 end)
    + ({{ items }}) * {{ sqlrec.power_of_fraction(p, 'longer') }} * sum(
        case when depth <= shorter - common then {{ weight }} * depth / (longer + depth) else 0 end
    )
    + common * {{ sqlrec.weight_from(p, 'longer + 1', weight_before) }}
)
{% endset %}
{#- Rounding may move a value slightly past a bound. #}
{{ sqlrec.greatest(sqlrec.at_most(value | trim, 1), 0) }}
{% endmacro %}
