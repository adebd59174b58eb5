-- Spearman's rho: the rank correlation of a user's scores and grades, from -1 to 1.
--
--        sum of  (rank by score - mean rank) * (rank by grade - mean rank)
--     ----------------------------------------------------------------------------
--      sqrt(sum of (rank by score - mean)^2  *  sum of (rank by grade - mean)^2)
--
-- Sums are over the rated items, which are in the user's list within k and in the truth. Equal
-- scores, and equal grades, share their mean rank. The value is 1 for the same order and -1 for the
-- reverse order; random scores give 0 on average.
--
-- Source    Spearman 1904, doi.org/10.2307/1412159
-- Agrees    scipy spearmanr
-- Undefined for a user with fewer than two rated items, or with all scores or grades equal,
--           who is excluded
-- Aliases   spearman_rho
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__spearman() %}
sum(predicted_rank * grade_rank)
/ nullif(sqrt(sum(predicted_rank * predicted_rank) * sum(grade_rank * grade_rank)), 0)
{% endmacro %}
