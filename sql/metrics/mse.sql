-- MSE: the mean squared error of the scores as predictions of the grades, at least 0.
--
--      sum of  (score - grade)^2  over the rated items
--     -------------------------------------------------
--                      rated items
--
-- Rated items are in the user's list within k and in the truth. Items without a grade do not count.
-- Scores must be on the scale of the grades.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    scikit-learn mean_squared_error, Surprise mse
-- Params    average = pooled | users: over the rated items of all users, or the mean of per-user
--           values
-- Undefined for a user without a rated item, who is excluded; an item without a score is not rated
-- Aliases   mean_squared_error
-- Better    lower
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__mse(average='pooled') %}
{{ sqlrec.mean(sqlrec.product('predicted - grade', 'predicted - grade')) }}
{% endmacro %}

{% macro rated__mse__weight(average='pooled') %}
cast(count(*) as double)
{% endmacro %}
