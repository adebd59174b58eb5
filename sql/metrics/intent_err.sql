-- Intent-aware ERR: the expected reciprocal rank for each aspect of a user's relevant items,
-- averaged over these aspects, as a share of the value of the best conceivable list, from 0 to 1.
--
--             sum of  gain / rank  over the hits within k
--     -------------------------------------------------------
--      A * sum over i from 1 to k of  (1 - alpha)^(i - 1) / i
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- A is the number of aspects of the relevant items, and alpha the probability that a hit satisfies
-- a user who wants one of its aspects. In the best conceivable list, every item is a hit with all
-- aspects. ndeval uses this divisor. In the paper, the value is alpha * sum of gain / rank, divided
-- by A.
--
-- Source    Chapelle et al. 2011, doi.org/10.1007/s10791-011-9167-7
-- Agrees    pyndeval ERR-IA; ir_measures ERR_IA, if all users have a list
-- Differs   pyndeval and ir_measures at a cutoff of 1, where they do not divide
-- Params    alpha = 0.5 from 0 to 1: the share of an aspect's gain that is lost for each higher hit
--           with that aspect
-- Undefined for a user without a relevant item that has an aspect
-- Aliases   err_ia
-- Better    higher
-- Family    diversity
-- Cutoff    a number up to 1000
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__intent_err(alpha=0.5) %}
{% set gains = 'sum(' ~ sqlrec.power_of_fraction(1 - alpha, 'earlier_hits', 1000) ~ ' * reciprocal)' %}
{{ sqlrec.share_of(gains, '(full_reciprocal_' ~ sqlrec.in_name(alpha) ~ ' * user_aspects)') }}
{% endmacro %}
