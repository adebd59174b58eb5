-- List CTR: the mean of what the truth says of the places that it knows, of all lists together; from 0 to
-- 1 where it says whether they were clicked.
--
--      sum of the relevance of the places within k whose item the truth has for the user
--     -----------------------------------------------------------------------------------
--                                  how many these are
--
-- The truth has to name what was shown and not clicked too, with relevance 0. It is a mean over places: a
-- user counts for as many as the truth knows.
--
-- Source    Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='matching')
-- Undefined where the truth has none of the places
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs, truth(relevance)
{% macro observed__list_ctr() %}
{{ sqlrec.mean('reward') }}
{% endmacro %}

{% macro observed__list_ctr__weight() %}
{{ sqlrec.double('count(reward)') }}
{% endmacro %}
