-- Unexpectedness: the share of the list that is not in the baseline's list within k, from 0 to 1.
--
--           items within k of both lists
--      1 - ------------------------------
--            length of the list within k
--
-- The baseline may be a simple model, such as the most popular items, or the same model at an
-- earlier time: the value is then the share of the list that is new.
--
-- Source    Murakami et al. 2008, doi.org/10.1007/978-3-540-78197-4_5
-- Agrees    RePlay Unexpectedness with divide_by=k and without_baseline=expected, and up to RePlay
--           0.12 with divide_by=k and users=baseline; the diversity of Lathia et al. 2010, which
--           compares a list with the previous list
-- Params    divide_by = list_length | k: the length of the list within k, or the cutoff. With k, an
--           empty rank is unexpected
--           without_baseline = unexpected | expected | undefined: the value if the baseline has
--           no list for the user: 1, 0 or undefined
--           users = recs | baseline: the mean is over users with a list, or over users with a list
--           from the baseline; a user without a list of the model then counts as 0
-- Undefined for a user without a list, who is excluded; with users=baseline also for a user without
--           a list from the baseline, and if no user of the baseline has a list
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro recommended_items__unexpectedness(divide_by='list_length', without_baseline='unexpected', users='recs') %}
{% set unexpected = '1 - sum(expected) / ' ~ divide_by %}
{% if users == 'baseline' %}
case when baseline_members > 0 then {{ unexpected }} end
{% elif without_baseline == 'unexpected' %}
{{ unexpected }}
{% elif without_baseline == 'expected' %}
case when baseline_length > 0 then {{ unexpected }} else cast(0 as double) end
{% else %}
case when baseline_length > 0 then {{ unexpected }} end
{% endif %}
{% endmacro %}

{% macro recommended_items__unexpectedness__members(divide_by='list_length', without_baseline='unexpected', users='recs') %}
{{ 'baseline_members' if users == 'baseline' }}
{% endmacro %}

{% macro recommended_items__unexpectedness__absent(divide_by='list_length', without_baseline='unexpected', users='recs') %}
{{ 'cast(0 as double)' if users == 'baseline' }}
{% endmacro %}
