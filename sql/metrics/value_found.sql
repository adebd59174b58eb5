-- Value found: the sum of the prices of the relevant items within k, at least 0. It is revenue at
-- k, or profit if prices are margins.
--
--     sum of price over the hits within k
--
-- Source    Jannach & Jugovac 2019, doi.org/10.1145/3370082, on measuring the value of
--           recommendations
-- Undefined for a user without a relevant item; without a list, the value is 0
-- Better    higher
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(price)
{% macro target_items__value_found() %}
case when relevant_items > 0 then sum(hit * price) end
{% endmacro %}
