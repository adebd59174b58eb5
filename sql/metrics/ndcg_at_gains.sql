-- NDCG at gains: the mean NDCG at the ranks of the user's items with a gain, from 0 to 1. For an
-- item that is not in the list, the NDCG of the whole list counts.
--
--     mean over the user's items with a gain of  DCG(rank) / best DCG(rank)
--
-- The gain of an item is its relevance.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval ndcg_rel
-- Undefined for a user without an item that has a gain
-- Aliases   ndcg_rel
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__ndcg_at_gains() %}
{% set sums %}
sum(case when relevance > 0 then dcg_so_far / best_dcg else 0 end)
            + (max(best_items) - count(case when relevance > 0 then 1 end))
            * sum(relevance * discount) / ideal_dcg_relevant
{% endset %}
case
    when ideal_dcg_relevant > 0
    then coalesce(
        {{ sqlrec.share_of(sums | trim, 'max(best_items)', true) }},
        0
    )
end
{% endmacro %}
