-- NDCG at grades: the mean NDCG at the places where the best list goes over to a lower gain, as
-- R-precision takes the precision at the one place where it ends, from 0 to 1.
--
--     mean over the places where the next one of the best list has a lower gain, or none, of
--     DCG(place) / best DCG(place)
--
-- A list that goes on for two places or more past the end of the best one adds its NDCG as a whole.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval Rndcg
-- Differs   trec_eval -l 0, which is not defined where no item has a gain and some are relevant
-- Undefined for a user without a relevant item or without an item that has a gain
-- Aliases   rndcg
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__ndcg_at_grades() %}
case
    when ideal_dcg_relevant > 0 and relevant_items > 0
    then sum(relevance * discount * (best_later + goes_past / ideal_dcg_relevant)) / (gain_levels + goes_past)
end
{% endmacro %}
