-- Cohen's kappa: how far a judge and people agree beyond chance, where disagreement is the squared
-- difference of their grades, from -1 to 1. At 0, they agree as if the judge's grades were assigned
-- at random.
--
--          sum of  (score - grade)^2  over the rated items
--     1 - ----------------------------------------------------------------------
--          the same sum over all pairs of a score and a grade  /  rated items
--
-- recs has the judge's grades as scores; truth has the people's grades. Rated items have both and
-- are in the list within k; the rated items of all users are pooled. For grades 0 and 1 this is the
-- unweighted kappa; for any numbers it is Lin's concordance coefficient, which is below the
-- correlation if the two scales differ.
--
-- Source    Cohen 1968, doi.org/10.1037/h0026256, with quadratic weights; Lin 1989,
--           doi.org/10.2307/2532051
-- Agrees    scikit-learn cohen_kappa_score(weights='quadratic')
-- Differs   the unweighted kappa of more than two grades, for which all different grades are
--           equally far apart
-- Undefined if all scores and grades are the same number
-- Aliases   quadratic_weighted_kappa, concordance_correlation
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__cohen_kappa() %}
{#- Equal numbers need not have their own value as the mean, once it is rounded. #}
case
    when min(grade) < max(grade) or max(abs(predicted - grade)) > 0
    then
        1 - {{ sqlrec.least('sum(' ~ sqlrec.product('predicted - grade', 'predicted - grade') ~ ')', '2 * ' ~ sqlrec.squares_of_both()) }}
        / nullif({{ sqlrec.squares_of_both() }}, 0)
end
{% endmacro %}

-- The sum of the squared deviations of all scores and all grades from the mean grade.
{% macro squares_of_both() -%}
sum(
            {{ sqlrec.product('predicted - mean_grade', 'predicted - mean_grade') }}
            + {{ sqlrec.product('grade - mean_grade', 'grade - mean_grade') }}
        )
{%- endmacro %}
