-- Average overlap: the share of items that the first d ranks of two lists for the same user have
-- in common, averaged over all depths d, from 0 to 1.
--
--      sum over the depths d to the end of the longer list of  (items of both within d) / d
--     --------------------------------------------------------------------------------------
--                              ranks of the longer list
--
-- The other list is the baseline's, and both are cut at k. If the baseline has no list for the
-- user, the value is 0.
--
-- Source    Fagin et al. 2003, doi.org/10.1137/S0895480102412856
-- Agrees    rbo 0.1.3 with p=1, for lists of equal length
-- Differs   rbo 0.1.3 for other lists: it stops at the end of the shorter list
-- Params    divide_by = longer | k: the ranks of the longer list, or the cutoff. With k, depths
--           past the end of both lists count as 0
-- Undefined for a user without a list, who is excluded
-- Aliases   ao
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro list_overlap__average_overlap(divide_by='longer') %}
sum(overlap / depth) / {{ divide_by }}
{% endmacro %}
