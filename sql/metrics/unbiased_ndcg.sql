-- Unbiased NDCG: the NDCG of a list with clicks as relevant items, each weighted by how unlikely
-- the user was to see the item, from 0 to 1.
--
--      sum of  weight / log2(rank + 1)  over the clicked items within k
--     -------------------------------------------------------------------
--      the same sum for the user's clicked items by weight, k of them at most
--
--     weight = min( 1 / propensity, cap )
--
-- The truth contains clicks, and its column propensity contains the probability that the user saw
-- the item at the rank where it was shown. Items that were shown further down are clicked less
-- often because fewer users see them; the weight makes up for that. A click with a propensity of 0
-- or null counts as 0.
--
-- Source    Joachims et al. 2017, doi.org/10.1145/3018661.3018699, with the discount of NDCG
-- Agrees    WarpRec IPSDCG with divide_by=nothing, and SNIPSDCG with divide_by=weights
-- Params    divide_by = best | weights | nothing: the best list; the sum of the weights of all
--           clicked items; or nothing, for a DCG, at least 0
--           cap = 10000 from 1 to 1000000000: the largest weight of a click
-- Undefined for a user without a click that has a propensity, except with divide_by=nothing
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth(propensity)
{% macro target_items__unbiased_ndcg(divide_by='best', cap=10000) %}
{% set weight = sqlrec.least('inverse_propensity', sqlrec.double(cap)) %}
{% set whole = {'best': weight ~ ' * best_click_discount', 'weights': weight} %}
{% set dcg = 'sum(' ~ weight ~ ' * discount)' %}
{{ sqlrec.share_of(dcg, 'sum(' ~ whole[divide_by] ~ ')', true) if divide_by != 'nothing' else dcg }}
{% endmacro %}
