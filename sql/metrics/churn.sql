-- Churn: the share of recommendations that differ between two lists for the same user, from 0 to 1.
--
--      items within k that entered + items that left
--     -----------------------------------------------
--            ranks of both lists within k
--
-- The other list is the baseline's, such as the list of the day before. For two lists of k items
-- this is the share of one list that is not in the other. If the baseline has no list for the user,
-- the value is 1.
--
-- Source    Sorensen 1948: the similarity of two sets is 1 - churn
-- Differs   unexpectedness, which reads only the model's ranks: items that left do not count
-- Params    divide_by = ranks | k: the ranks of both lists, or the cutoff. With k, the value is 1 -
--           common items / k, and an empty rank counts as changed
-- Undefined for a user without a list, who is excluded
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro recommended_items__churn(divide_by='ranks') %}
{% if divide_by == 'k' %}
1 - sum(expected) / k
{% else %}
1 - 2 * sum(expected) / (list_length + baseline_length)
{% endif %}
{% endmacro %}
