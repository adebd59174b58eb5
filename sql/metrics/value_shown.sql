-- Value shown: the mean price of the items within k, or their total price, at least 0.
--
--      sum of price over the ranks within k
--     ---------------------------------------
--            length of the list within k
--
-- Source    Jannach & Jugovac 2019, doi.org/10.1145/3370082, on measuring the value of
--           recommendations
-- Params    total = mean | sum: the mean price of a rank, or the sum over the ranks
-- Undefined for a user without a list
-- Better    neither
-- Family    value
-- Cutoff    a number, or all
-- Inputs    recs, items(price)
{% macro recommended_items__value_shown(total='mean') %}
sum(price){{ ' / list_length' if total == 'mean' }}
{% endmacro %}
