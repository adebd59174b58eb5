-- Baseline serendipity: the share of the list that is relevant and not in the baseline's list, both
-- within k, from 0 to 1.
--
--      hits within k that the baseline's list within k does not have
--     ---------------------------------------------------------------
--                      length of the list within k
--
-- The baseline is a simple model, such as the most popular items. If it has no list for the user,
-- every item is unexpected.
--
-- Source    Ge et al. 2010, doi.org/10.1145/1864708.1864761
-- Differs   serendipity, which compares ranks with popularity
-- Params    divide_by = list_length | k | unexpected: the length of the list within k, the cutoff,
--           or the unexpected items within k; the value is 0 without an unexpected item
-- Undefined for a user without a list or without a relevant item, who is excluded
-- Aliases   srdp, unexpected_relevance
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, truth, baseline
{% macro recommended_items__baseline_serendipity(divide_by='list_length') %}
case
    when relevant_items > 0
    then
        {%- if divide_by == 'unexpected' %}
        coalesce(sum(hit * (1 - expected)) / nullif(sum(1 - expected), 0), 0)
        {%- else %}
        sum(hit * (1 - expected)) / {{ divide_by }}
        {%- endif %}
end
{% endmacro %}
