-- Value NDCG: how near a list is to the one that shows the user's relevant items from the dearest to the
-- cheapest, from 0 to 1.
--
--      sum of  price / log2(place + 1)  over the hits within k
--     ---------------------------------------------------------------------
--      the same sum for the user's relevant items by price, k of them at most
--
-- It is the NDCG of a truth whose grades are prices.
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418, with prices as gains
-- Agrees    scikit-learn ndcg_score of prices
-- Undefined for a user whose relevant items cost nothing, or who has none
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro targets__value_ndcg() %}
sum(price * discount) / nullif(sum(price * best_discount), 0)
{% endmacro %}
