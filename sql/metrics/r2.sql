-- R2: the share of the variance of the grades that the scores predict, unbounded below, at most 1.
--
--          sum of  (score - grade)^2  over the rated items
--     1 - --------------------------------------------------
--          sum of  (mean grade - grade)^2  over the rated items
--
-- Rated items are in the user's list within k and in the truth. The rated items of all users are
-- pooled. Predicting the mean grade for every item gives 0; a value below 0 means that the scores
-- predict worse than the mean grade.
--
-- Source    Draper & Smith 1998, doi.org/10.1002/9781118625590
-- Agrees    scikit-learn r2_score with constant=zero
-- Differs   the squared correlation, which ignores the scale of the scores
-- Params    constant = undefined | zero: the value if all grades are equal: undefined; or 1 if each
--           score equals its grade, else 0
-- Undefined if all grades are equal; never with constant=zero
-- Aliases   r_squared
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__r2(constant='undefined') %}
{#- Because of rounding, the mean of equal grades may not equal the grades. #}
case
    when min(grade) < max(grade)
    then
        1 - sum({{ sqlrec.product('predicted - grade', 'predicted - grade') }})
        / nullif(sum({{ sqlrec.product('mean_grade - grade', 'mean_grade - grade') }}), 0)
    {%- if constant == 'zero' %}
    when max(abs(predicted - grade)) > 0 then 0
    when max(abs(predicted - grade)) = 0 then 1
    {%- endif %}
end
{% endmacro %}
