-- NERR: the ERR of a list divided by the ERR of the best list of the user's own items, from 0 to 1.
--
--                  ERR
--     -----------------------------
--      ERR of the best k items
--
-- The best list has the user's items from the highest grade to the lowest.
--
-- Source    Clarke et al. 2011, doi.org/10.1145/1935826.1935847, with the ERR of Chapelle et al.
--           2009, doi.org/10.1145/1645953.1646033
-- Differs   ir_measures NERR8 to NERR11, which are not normalized in this way
-- Params    max_grade = 4 above 0 to 100: the highest grade of the scale, as in err
-- Undefined for a user without an item with a grade above 0
-- Aliases   normalized_err
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__nerr(max_grade=4) %}
{% set grade = sqlrec.in_name(max_grade) %}
{{ sqlrec.share_of('sum(stop_' ~ grade ~ ' / rank)', 'ideal_err_' ~ grade) }}
{% endmacro %}
