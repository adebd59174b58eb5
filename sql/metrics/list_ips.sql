-- List IPS: the mean reward of the places of all lists, of which the truth knows those that were
-- shown, by inverse propensity scores, unbounded.
--
--      sum of  relevance / propensity  over the places within k whose item the truth has for the user
--     ------------------------------------------------------------------------------------------------
--                                    places within k
--
-- The propensity, a column of the truth, is how likely the item was to be shown to the user. Without the
-- column it is 1 / (items of the truth), as if any had been shown at random; parts of the data have other
-- numbers of items, so that their values do not add up to that of the whole. A place whose propensity is
-- missing counts 0. ips takes each logged decision, in a table of logs, instead of each place.
--
-- Source    Dudik et al. 2011, arxiv.org/abs/1103.4601; Jurity 2.1.0, github.com/fidelity/jurity
-- Agrees    Jurity CTR(estimation='ips')
-- Undefined for a user with a propensity of 0 for what has a relevance, which is infinite
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs, truth(relevance)
{% macro observed__list_ips() %}
{{ sqlrec.mean_of_places(sqlrec.by_propensity('reward'), 'reward') }}
{% endmacro %}

{% macro observed__list_ips__weight() %}
{{ sqlrec.double('count(*)') }}
{% endmacro %}
