-- List doubly robust: the mean score over all recommendations, corrected by inverse
-- propensities for items in the user's truth, unbounded.
--
--      sum of  score + (relevance - score) / propensity  over the ranks within k
--     ----------------------------------------------------------------------------
--                                 ranks within k
--
-- The second term is 0 if the user's truth does not have the item. Scores are the model's
-- predictions of the relevance. The propensity, a column of the truth, is the probability that the
-- item was shown to the user; without the column, it is 1 / (items of the truth). If rules
-- keep a rank without a score, the rank does not count. doubly_robust averages over logged
-- decisions, in a table of logs, instead of ranks.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601; Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='dr')
-- Undefined for a user with a propensity of 0 for an item with a relevance that differs from the
--           score
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro observed_feedback__list_doubly_robust() %}
{{ sqlrec.mean_of_ranks('score + ' ~ sqlrec.by_propensity('reward - matched_score'), 'reward - matched_score') }}
{% endmacro %}

{% macro observed_feedback__list_doubly_robust__weight() %}
cast(count(score) as double)
{% endmacro %}
