-- Depth precision: the precision of the first d ranks, averaged over all depths d down to k, from
-- 0 to 1. A hit at a higher rank has more weight, even if no other item is relevant.
--
--      sum over the depths d from 1 to k of  (hits within d) / d
--     -----------------------------------------------------------
--                                  k
--
-- At depths past the end of a shorter list, all hits of the list count. Average precision adds up
-- precision only at hits, and divides by the number of relevant items.
--
-- Source    Elliot 0.3.1, github.com/sisinflab/elliot, under the name MAP
-- Agrees    Elliot MAP
-- Undefined never; without a list or a relevant item, the value is 0
-- Aliases   mean_precision
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro examined__depth_precision() %}
sum(hits_so_far / rank) / k
{% endmacro %}
