-- Value precision: the total price of the relevant items within k as a share of the total price of
-- all items within k, from 0 to 1.
--
--      sum of price over the hits within k
--     -------------------------------------
--      sum of price over the ranks within k
--
-- With equal prices and a full list it is precision.
--
-- Source    scikit-learn, precision_score with prices as sample_weight
-- Params    average = users | pooled: the mean over users; or the prices of all users' hits divided
--           by the prices of all their ranks
-- Undefined for a user without a relevant item or a list, or if the total price of the list is 0
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro recommended_items__value_precision(average='users') %}
case when relevant_items > 0 then sum(hit * price) / nullif(sum(price), 0) end
{% endmacro %}

{% macro recommended_items__value_precision__weight(average='users') %}
case when relevant_items > 0 then sum(price) end
{% endmacro %}
