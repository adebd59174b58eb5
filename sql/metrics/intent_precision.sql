-- Intent-aware precision: the precision at k for each aspect of a user's relevant items, averaged
-- over these aspects, from 0 to 1.
--
--      sum over the hits within k of  the number of the hit's aspects
--     ----------------------------------------------------------------
--                   k * aspects of the relevant items
--
-- Source    Agrawal et al. 2009, doi.org/10.1145/1498759.1498766
-- Agrees    pyndeval P-IA; ir_measures P_IA, if all users have a list
-- Undefined for a user without a relevant item that has an aspect
-- Aliases   p_ia, precision_ia
-- Better    higher
-- Family    diversity
-- Cutoff    a number
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__intent_precision() %}
sum(hit_with_aspect) / (k * user_aspects)
{% endmacro %}
