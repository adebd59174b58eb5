-- Top precision: the share of the first k ranks that have one of the user's best items, from 0 to
-- 1. The best items are the items with the highest grade in the user's truth, whether that grade is
-- 5 or 2.
--
--      hits within k with the user's highest grade
--     ---------------------------------------------
--                          k
--
-- Empty ranks of a list shorter than k count as misses. Without grades, it is precision.
--
-- Source    RankEval 0.8.2, github.com/hpclab/rankeval
-- Agrees    RankEval PrecisionMax, for users with a relevant item
-- Differs   precision, which counts every relevant item as a hit
-- Undefined for a user without a relevant item
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro hits__top_precision() %}
case when relevant_items > 0 then sum(top_hit) / k end
{% endmacro %}
