-- Unexpectedness: the share of the list that the baseline's list within k does not have, from 0 to
-- 1.
--
--           items within k of both lists
--      1 - ------------------------------
--            places of the list within k
--
-- The baseline may be a plain model, such as the most popular items, or the same model at another
-- time: then this is how much the list has changed.
--
-- Source    Murakami et al. 2008, doi.org/10.1007/978-3-540-78197-4_5
-- Agrees    RePlay Unexpectedness with divide_by=k and without_baseline=expected; Lathia et al. 2010
--           diversity of a list over the one before
-- Differs   RePlay to 0.12, which averages over users of the baseline
-- Params    divide_by = list_length | k: the places of the list within k, or the cutoff, where a
--           missing place is an unexpected one
--           without_baseline = unexpected | expected | undefined: what a whole list is where the
--           baseline has none for the user: 1, 0, or left out
-- Undefined for a user without list, who is left out
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro shown__unexpectedness(divide_by='list_length', without_baseline='unexpected') %}
{% if without_baseline == 'unexpected' %}
1 - sum(expected) / {{ divide_by }}
{% elif without_baseline == 'expected' %}
case when baseline_length > 0 then 1 - sum(expected) / {{ divide_by }} else {{ sqlrec.double(0) }} end
{% else %}
case when baseline_length > 0 then 1 - sum(expected) / {{ divide_by }} end
{% endif %}
{% endmacro %}
