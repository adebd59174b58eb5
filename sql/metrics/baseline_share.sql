-- Baseline share: the share of the list's items that are also in the baseline's list, from 0 to 1.
--
--      items of both lists
--     ------------------------------
--      length of the list within k
--
-- Both lists are cut at k, or the baseline's at baseline_k. If both cutoffs are equal, it is 1 -
-- unexpectedness. If the baseline has no list for the user, the value is 0.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools Intersection, with the baseline as ref_recs, and baseline_k as ref_k
-- Params    baseline_k = 0 from 0 to 100000 by 1: how many ranks of the baseline's list count; 0
--           for the same number as in the list
-- Undefined for a user without a list, who is excluded
-- Aliases   intersection
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro recommended_items__baseline_share(baseline_k=0) %}
sum({{ 'in_baseline_' ~ (baseline_k | int) if baseline_k else 'expected' }}) / list_length
{% endmacro %}
