-- NDCG at grades: the mean NDCG at the last ranks before the best list changes to a lower gain,
-- from 0 to 1. It is R-precision for graded relevance.
--
--      sum of  DCG(rank) / best DCG(rank)  over the last ranks of gains
--     ---------------------------------------------------------------------
--                         number of last ranks of gains
--
-- The last rank of a gain is followed in the best list by a lower gain, or by the end of the list.
-- A list that continues for two or more ranks past the best list adds another term: its NDCG as a
-- whole.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval Rndcg
-- Differs   trec_eval -l 0, which is not defined if no item has a gain and some items are relevant
-- Undefined for a user without a relevant item or without an item that has a gain
-- Aliases   rndcg
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__ndcg_at_grades() %}
case
    when ideal_dcg_relevant > 0 and relevant_items > 0
    then {{ sqlrec.share_of('sum(relevance * discount * (best_later + exceeds_best_list / ideal_dcg_relevant))', '(distinct_gains + exceeds_best_list)') }}
end
{% endmacro %}
