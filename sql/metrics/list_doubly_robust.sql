-- List doubly robust: the mean score of the places of all lists, corrected where the truth knows what
-- they were worth by the errors of the scores and inverse propensities, unbounded.
--
--      sum of  score + (relevance - score) / propensity  over the places within k
--     ----------------------------------------------------------------------------
--                                 places within k
--
-- The second part is 0 for a place that the truth does not know. Scores are the model's predictions of
-- the relevance. The propensity, a column of the truth, is how likely the item was to be shown to the
-- user; without the column it is 1 / (items of the truth). doubly_robust takes each logged decision, in
-- a table of logs, instead of each place.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601; Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='dr')
-- Undefined for a user with a propensity of 0 for what is worth more or less than its score
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro observed__list_doubly_robust() %}
{{ sqlrec.mean_of_places('score + ' ~ sqlrec.by_propensity('reward - matched_score'), 'reward - matched_score') }}
{% endmacro %}

{% macro observed__list_doubly_robust__weight() %}
{{ sqlrec.double('count(*)') }}
{% endmacro %}
