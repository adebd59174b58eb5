-- Intent-aware average precision: the average precision for each aspect of a user's relevant items,
-- averaged over these aspects, from 0 to 1. Its mean over users is known as MAP-IA.
--
--      1                        hits down to rank i with aspect a
--     ---  *  sum over a, i of ---------------------------------------
--      A                        i * relevant items with aspect a
--
-- A is the number of aspects of the relevant items, and i goes over the ranks within k of hits with
-- aspect a.
--
-- Source    Agrawal et al. 2009, doi.org/10.1145/1498759.1498766
-- Agrees    pyndeval MAP-IA; ir_measures AP_IA, if all users have a list
-- Undefined for a user without a relevant item that has an aspect
-- Aliases   ap_ia, map_ia
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__intent_average_precision() %}
{{ sqlrec.share_of('sum((earlier_hits + 1) * reciprocal / aspect_items)', 'user_aspects') }}
{% endmacro %}
