-- Threshold recall: the share of the items with a grade at or above the threshold that also have a
-- score at or above the threshold, from 0 to 1.
--
--      items within k with a score and a grade of at least the threshold
--     -----------------------------------------------------------------------
--           items of the user's truth with a grade of at least the threshold
--
-- Use it for scores that predict grades.
--
-- Source    Surprise 1.1.5, surprise.readthedocs.io/en/stable/FAQ.html
-- Agrees    the example of Surprise, if every item of the truth has a score
-- Differs   recall, which does not look at scores; early versions of the example, in which a user
--           without such an item has the value 1
-- Params    threshold = 3.5 from -1000000 to 1000000: the smallest score and grade that count
-- Undefined never; without an item with a grade of at least the threshold, the value is 0
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro graded__threshold_recall(threshold=3.5) %}
coalesce({{ sqlrec.found_items(threshold) }} / nullif({{ sqlrec.items_with_grade(threshold) }}, 0), 0)
{% endmacro %}
