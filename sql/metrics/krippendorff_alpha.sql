-- Krippendorff's alpha: 1 minus the disagreement between a judge and people, divided by the
-- disagreement expected by chance, both as squared differences, from -1 to 1. At 0, the score and
-- the grade of an item differ by as much as two randomly drawn scores or grades.
--
--          mean of  (score - grade)^2  over the rated items
--     1 - --------------------------------------------------------
--          mean of the squared difference over all pairs of scores and grades
--
-- recs has the judge's grades as scores; truth has the people's grades. Rated items have both and
-- are in the list within k; the rated items of all users are pooled. A pair of the divisor is any
-- two of these scores and grades. Grades are on an interval scale; for grades 0 and 1 this equals a
-- nominal scale. If the judge and the people give each grade equally often, it equals cohen_kappa
-- up to terms of order 1 / items.
--
-- Source    Krippendorff 2011, Computing Krippendorff's Alpha-Reliability,
--           repository.upenn.edu/asc_papers/43
-- Agrees    krippendorff alpha(level_of_measurement='interval') for two coders who grade all items
-- Undefined if all scores and grades are the same number
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__krippendorff_alpha() %}
{% set items = 'cast(count(*) as double)' %}
{% set apart = 'sum(predicted - grade)' %}
case
    when min(grade) < max(grade) or max(abs(predicted - grade)) > 0
    then
        1 - (2 * {{ items }} - 1) * sum({{ sqlrec.product('predicted - grade', 'predicted - grade') }})
        / nullif(2 * {{ items }} * {{ sqlrec.squares_of_both() }} - {{ sqlrec.product(apart, apart) }}, 0)
end
{% endmacro %}
