-- Unbiased precision: the share of the first k items that the user would have clicked after seeing
-- them, at least 0.
--
--      sum of  min( 1 / propensity, cap )  over the clicked items within k
--     ---------------------------------------------------------------------
--                                      k
--
-- The truth contains clicks, and its column propensity contains the probability that the user saw
-- the item at the rank where it was shown. A click with a propensity of 0 or null counts as 0. Its
-- mean over users is unbiased if the propensities are right; the value of one user can exceed 1.
--
-- Source    Joachims et al. 2017, doi.org/10.1145/3018661.3018699
-- Differs   list_ips, which is pooled over all recommendations
-- Params    cap = 10000 from 1 to 1000000000: the largest weight of a click
-- Undefined never; without a list or a click, the value is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth(propensity)
{% macro target_items__unbiased_precision(cap=10000) %}
coalesce(sum(hit * {{ sqlrec.least('inverse_propensity', sqlrec.double(cap)) }}), 0) / k
{% endmacro %}
