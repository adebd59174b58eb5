-- R2: how much of the variance of the grades the scores predict, of any size up to 1.
--
--          sum of  (score - grade)^2  over the rated items
--     1 - --------------------------------------------------
--          sum of  (mean grade - grade)^2  over the same
--
-- Rated items stand in the list within k and in the truth, and are those of all users together. 0 is
-- what the mean grade would have as the score of everything; below 0 the scores are worse than that.
--
-- Source    Draper & Smith 1998, doi.org/10.1002/9781118625590
-- Agrees    scikit-learn r2_score
-- Differs   the squared correlation, which does not ask that the scores are on the scale of the grades
-- Undefined where all grades are equal
-- Aliases   r_squared
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__r2() %}
{#- Equal grades need not have their own value as the mean, once it is rounded. #}
case
    when min(grade) < max(grade)
    then
        1 - sum({{ sqlrec.product('predicted - grade', 'predicted - grade') }})
        / nullif(sum({{ sqlrec.product('mean_grade - grade', 'mean_grade - grade') }}), 0)
end
{% endmacro %}
