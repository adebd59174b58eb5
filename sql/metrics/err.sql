-- ERR: the expected reciprocal of the rank at which a user who reads from the top is satisfied
-- and stops, from 0 to 1.
--
--     sum over the ranks i within k of  R_i / i * product over j above i of (1 - R_j)
--
--             2^grade - 1
--     R_i  =  -----------
--             2^max_grade
--
-- R is the probability of being satisfied. It depends on the highest possible grade, max_grade; use
-- 1 if the truth has no grades. Higher grades count as the highest, and grades below 0 as 0. The
-- relevance threshold is ignored.
--
-- Source    Chapelle et al. 2009, doi.org/10.1145/1645953.1646033
-- Agrees    gdeval.pl and ir_measures ERR, with digits=five; RankEval ERR with scale=own
-- Differs   gdeval.pl for grades above 4, which it rejects; ir_measures NERR8 to NERR11
-- Params    max_grade = 4 above 0 to 100: the highest grade of the scale
--           scale = given | own: the highest grade of the scale is max_grade, or the highest grade
--           of the user's items
--           digits = all | five: full precision, or each user's value rounded to five decimals, as
--           gdeval.pl prints it
-- Undefined never; without a list or graded item, the value is 0
-- Aliases   expected_reciprocal_rank
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__err(max_grade=4, scale='given', digits='all') %}
{% set value = 'sum(' ~ sqlrec.stop_column(max_grade, scale) ~ ' / rank)' %}
{{ value if digits == 'all' else sqlrec.rounded(value, digits) }}
{% endmacro %}
