-- Value NDCG: the NDCG of a list with the prices of relevant items as gains, from 0 to 1.
--
--      sum of  price / log2(rank + 1)  over the hits within k
--     ---------------------------------------------------------------------
--      the same sum for the user's relevant items by price, k of them at most
--
-- The best list has the user's relevant items from the most expensive to the cheapest.
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418, with prices as gains
-- Agrees    scikit-learn ndcg_score of prices
-- Undefined for a user without a relevant item that has a price above 0
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro target_items__value_ndcg() %}
{{ sqlrec.share_of('sum(price * discount)', 'sum(price * best_discount)', true) }}
{% endmacro %}
