-- List IPS: the mean reward over all recommendations, estimated by inverse propensity scores
-- from the items in the truth, unbounded.
--
--      sum of  relevance / propensity  over the ranks within k with an item of the user's truth
--     --------------------------------------------------------------------------------------------
--                                       ranks within k
--
-- The propensity, a column of the truth, is the probability that the item was shown to the user.
-- Without the column it is 1 / (items of the truth), as if items had been shown uniformly at
-- random; it is the same in every segment. A rank with a missing propensity counts as 0. ips
-- averages over logged decisions, in a table of logs, instead of ranks.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601; Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='ips')
-- Undefined for a user with a propensity of 0 for an item with a relevance, which would make the
--           value infinite
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs, truth(relevance)
{% macro observed_feedback__list_ips() %}
{{ sqlrec.mean_of_ranks(sqlrec.by_propensity('reward'), 'reward') }}
{% endmacro %}

{% macro observed_feedback__list_ips__weight() %}
cast(count(*) as double)
{% endmacro %}
