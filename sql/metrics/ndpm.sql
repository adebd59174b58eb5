-- NDPM: how far the order of the scores is from the order of the grades, from 0 to 1; 0 is best.
--
--      2 * discordant pairs  +  pairs with equal scores and different grades
--     -----------------------------------------------------------------------
--                       2 * pairs with different grades
--
-- A pair is two rated items, which are in the user's list within k and in the truth. It is
-- discordant if the higher score has the lower grade. Pairs with equal grades do not count,
-- since the truth does not order them. If all scores are equal, the value is 0.5.
--
-- Source    Yao 1995, doi.org/10.1002/(SICI)1097-4571(199503)46:2<133::AID-ASI6>3.0.CO;2-Z
-- Undefined for a user without two rated items of different grades, who is excluded
-- Better    lower
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pair_counts__ndpm() %}
sum(2 * discordant + tied_predicted)
/ nullif(2 * sum(concordant + discordant + tied_predicted), 0)
{% endmacro %}
