-- Threshold precision: the share of the items with a score at or above the threshold that also have
-- a grade at or above the threshold, from 0 to 1.
--
--      items within k with a score and a grade of at least the threshold
--     -----------------------------------------------------------------------
--              items within k with a score of at least the threshold
--
-- Use it for scores that predict grades. Items that the truth does not grade do not count.
--
-- Source    Surprise 1.1.5, surprise.readthedocs.io/en/stable/FAQ.html
-- Agrees    the example of Surprise
-- Differs   precision, which does not look at scores and divides by k; early versions of the
--           example, in which a list without such an item has the value 1
-- Params    threshold = 3.5 from -1000000 to 1000000: the smallest score and grade that count
-- Undefined never; without an item with a score of at least the threshold, the value is 0
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro graded__threshold_precision(threshold=3.5) %}
coalesce({{ sqlrec.found_items(threshold) }} / nullif({{ sqlrec.predicted_items(threshold) }}, 0), 0)
{% endmacro %}
