-- Value recall: the share of what the user's relevant items cost that stands within k, from 0 to 1.
--
--      sum of price over the hits within k
--     ---------------------------------------
--      sum of price over all relevant items
--
-- With equal prices it is the recall.
--
-- Source    scikit-learn, recall_score with prices as sample_weight
-- Params    average = users | pooled: the mean over users, or all users' hits over all users' relevant
--           items, in prices
-- Undefined for a user whose relevant items cost nothing, or who has none
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro targets__value_recall(average='users') %}
sum(found * price) / nullif(sum(price), 0)
{% endmacro %}

{% macro targets__value_recall__weight(average='users') %}
{% if average == 'pooled' %}
sum(price)
{% endif %}
{% endmacro %}
