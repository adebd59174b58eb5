-- Unbiased recall: the share of the user's clicks within k, each weighted by how unlikely the user
-- was to see the item, from 0 to 1.
--
--      sum of  min( 1 / propensity, cap )  over the clicked items within k
--     ---------------------------------------------------------------------
--      the same sum over all items that the user clicked
--
-- The truth contains clicks, and its column propensity contains the probability that the user saw
-- the item at the rank where it was shown. A click with a propensity of 0 or null counts as 0. With
-- equal propensities it is recall.
--
-- Source    Yang et al. 2018, doi.org/10.1145/3240323.3240355, self-normalized by user
-- Agrees    WarpRec SNIPSRecall, and IPSRecall with divide_by=relevant
-- Differs   stratified_recall, which uses the popularity of items as weights
-- Params    divide_by = weights | relevant: the sum of the weights of all clicked items, or their
--           number
--           cap = 10000 from 1 to 1000000000: the largest weight of a click
-- Undefined for a user without a click that has a propensity; with divide_by=relevant, for a user
--           without a click
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth(propensity)
{% macro target_items__unbiased_recall(divide_by='weights', cap=10000) %}
{% set weight = sqlrec.least('inverse_propensity', sqlrec.double(cap)) %}
sum(hit * {{ weight }}) / nullif({{ 'sum(' ~ weight ~ ')' if divide_by == 'weights' else 'relevant_items' }}, 0)
{% endmacro %}
