-- RMSE: the root of the mean squared error of the scores as predictions of the grades, at least 0.
--
--           sum of  (score - grade)^2  over the rated items
--     sqrt -------------------------------------------------
--                           rated items
--
-- Rated items are in the user's list within k and in the truth. Items without a grade do not count.
-- Scores must be on the scale of the grades. By default, it is the root of the mean over all users'
-- errors. With average=users, it is the mean of each user's root, which is smaller if users have
-- equal numbers of items.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    scikit-learn root_mean_squared_error, Surprise rmse; RankEval RMSE with average=sums
-- Params    average = pooled | users | sums: over the rated items of all users; the mean of
--           per-user values; or the mean of the roots of per-user sums, which are not divided by
--           the number of rated items
-- Undefined for a user without a rated item, who is excluded; an item without a score is not rated
-- Aliases   root_mean_squared_error
-- Better    lower
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__rmse(average='pooled') %}
{% set squared = sqlrec.product('predicted - grade', 'predicted - grade') %}
sqrt({{ 'sum(' ~ squared ~ ')' if average == 'sums' else sqlrec.mean(squared) }})
{% endmacro %}

{% macro rated__rmse__weight(average='pooled') %}
{{ 'cast(count(*) as double)' if average == 'pooled' }}
{% endmacro %}

{% macro rated__rmse__summary(column, average='pooled') %}
{% if average == 'pooled' %}
{{ sqlrec.weighted_root(column) }}
{% else %}
{{ sqlrec.mean(column) }}
{% endif %}
{% endmacro %}
