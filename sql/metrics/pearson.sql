-- Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1.
--
--        sum of  (score - mean score) * (grade - mean grade)
--     ----------------------------------------------------------------
--      sqrt(sum of (score - mean)^2  *  sum of (grade - mean)^2)
--
-- Sums are over the rated items, which are in the user's list within k and in the truth.
--
-- Source    Pearson 1895, doi.org/10.1098/rspl.1895.0041
-- Agrees    scipy pearsonr
-- Undefined for a user with fewer than two rated items, or with all scores or grades equal,
--           who is excluded
-- Aliases   pearson_r
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__pearson() %}
{% set covariance = 'sum(' ~ sqlrec.product('predicted - mean_predicted', 'grade - mean_grade') ~ ')' %}
{% set deviations %}
sqrt(sum({{ sqlrec.product('predicted - mean_predicted', 'predicted - mean_predicted') }}))
        * sqrt(sum({{ sqlrec.product('grade - mean_grade', 'grade - mean_grade') }}))
{% endset %}
{#- Equal numbers need not have their own value as the mean, once it is rounded. #}
case
    when min(predicted) < max(predicted) and min(grade) < max(grade) and {{ deviations | trim }} > 0
    then {{ sqlrec.greatest(sqlrec.least(covariance ~ ' / nullif(' ~ deviations | trim ~ ', 0)', 1), -1) }}
end
{% endmacro %}
