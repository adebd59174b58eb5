-- List CTR: the mean relevance of the recommendations in all lists with an item of the user's
-- truth, from 0 to 1 if the relevance is a click.
--
--      sum of the relevance of the ranks within k with an item of the user's truth
--     -------------------------------------------------------------------------------
--                                number of these ranks
--
-- The truth must also contain items that were shown and not clicked, with relevance 0. The mean is
-- over ranks, so users with more of these ranks have more weight.
--
-- Source    Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='matching')
-- Undefined if no rank within k has an item of the user's truth
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs, truth(relevance)
{% macro observed_feedback__list_ctr() %}
favg(reward)
{% endmacro %}

{% macro observed_feedback__list_ctr__weight() %}
cast(count(reward) as double)
{% endmacro %}
