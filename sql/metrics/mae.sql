-- MAE: the mean absolute error of the scores as predictions of the grades, at least 0.
--
--      sum of  |score - grade|  over the rated items
--     -----------------------------------------------
--                      rated items
--
-- Rated items are in the user's list within k and in the truth. Items without a grade do not count.
-- Scores must be on the scale of the grades.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    scikit-learn mean_absolute_error, Surprise mae
-- Params    average = pooled | users: over the rated items of all users, or the mean of per-user
--           values
-- Undefined for a user without a rated item, who is excluded; an item without a score is not rated
-- Aliases   mean_absolute_error
-- Better    lower
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__mae(average='pooled') %}
favg(abs(predicted - grade))
{% endmacro %}

{% macro rated__mae__weight(average='pooled') %}
cast(count(*) as double)
{% endmacro %}
