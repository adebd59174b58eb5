-- Value recall: the total price of the relevant items within k as a share of the total price of all
-- the user's relevant items, from 0 to 1.
--
--      sum of price over the hits within k
--     ---------------------------------------
--      sum of price over all relevant items
--
-- With equal prices it is recall.
--
-- Source    scikit-learn, recall_score with prices as sample_weight
-- Params    average = users | pooled: the mean over users; or the prices of all users' hits divided
--           by the prices of all their relevant items
-- Undefined for a user without a relevant item that has a price above 0
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro target_items__value_recall(average='users') %}
sum(hit * price) / nullif(sum(price), 0)
{% endmacro %}

{% macro target_items__value_recall__weight(average='users') %}
sum(price)
{% endmacro %}
