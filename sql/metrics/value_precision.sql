-- Value precision: the share of what the items within k cost that is of relevant ones, from 0 to 1.
--
--      sum of price over the hits within k
--     -------------------------------------
--      sum of price over the places within k
--
-- With equal prices and a full list it is the precision.
--
-- Source    scikit-learn, precision_score with prices as sample_weight
-- Params    average = users | pooled: the mean over users, or all users' hits over all places, in prices
-- Undefined for a user without a relevant item or list, or whose list costs nothing
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro shown__value_precision(average='users') %}
case when relevant_items > 0 then sum(hit * price) / nullif(sum(price), 0) end
{% endmacro %}

{% macro shown__value_precision__weight(average='users') %}
{% if average == 'pooled' %}
case when relevant_items > 0 then sum(price) end
{% endif %}
{% endmacro %}
