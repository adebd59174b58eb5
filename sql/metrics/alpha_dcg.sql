-- Alpha-DCG: the DCG of a list in which a hit gains less for each higher hit with the same aspect,
-- as a share of the gain of the best conceivable list, from 0 to 1.
--
--         sum of  gain / log2(rank + 1)  over the hits within k
--     ----------------------------------------------------------------
--      A * sum over i from 1 to k of  (1 - alpha)^(i - 1) / log2(i + 1)
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- A is the number of aspects of the relevant items. In the best conceivable list, every item is a
-- hit with all aspects, even if no such items exist; alpha_ndcg compares with the best list of the
-- user's own items. ndeval uses this divisor; the paper does not divide.
--
-- Source    Clarke et al. 2008, doi.org/10.1145/1390334.1390446
-- Agrees    pyndeval alpha-DCG; ir_measures alpha_DCG, if all users have a list
-- Differs   pyndeval and ir_measures at a cutoff of 1, where they do not divide
-- Params    alpha = 0.5 from 0 to 1: the share of an aspect's gain that is lost for each higher hit
--           with that aspect
-- Undefined for a user without a relevant item that has an aspect
-- Better    higher
-- Family    diversity
-- Cutoff    a number up to 1000
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__alpha_dcg(alpha=0.5) %}
{% set gains = 'sum(' ~ sqlrec.power_of_fraction(1 - alpha, 'earlier_hits', 1000) ~ ' * discount)' %}
{{ sqlrec.share_of(gains, '(full_discount_' ~ sqlrec.in_name(alpha) ~ ' * user_aspects)') }}
{% endmacro %}
