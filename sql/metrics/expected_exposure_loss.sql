-- Expected exposure loss: the squared distance between the exposure that items get and the exposure
-- that they deserve, at least 0.
--
--     sum of  (gets(i) - deserves(i))^2  over all items i
--
--     gets      patience^(rank - 1) within k; 0 for an item that is not in the list
--     deserves  the mean exposure of the items of the same grade if the user's relevant items were
--               shown from best to worst: for one of m items of a grade with b better items
--               (patience^b - patience^(b + m)) / (m * (1 - patience)); 0 if it is not relevant
--
-- Each list is treated as a system that always shows this list. So even the best list has a loss if
-- several items are equally relevant, because one of them is first. The loss is the disparity,
-- minus twice the relevance, plus the sum of deserves(i)^2, a sum that depends only on the truth.
--
-- Source    Diaz et al. 2020, doi.org/10.1145/3340531.3411962, with the user model of rank-biased
--           precision
-- Agrees    expeval -u rbp -U, difference, by the same authors, for users with a list
-- Differs   expeval for a user without a list; its normalized form, which it prints by default
-- Params    patience = 0.5 above 0 below 1: the probability of continuing from one rank to the next
--           grades = given | binary: items of different grades deserve different exposure, or all
--           relevant items deserve the same exposure
-- Undefined for a user without a relevant item
-- Aliases   eel, ee_l
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth
{% macro list_attention__expected_exposure_loss(patience=0.5, grades='given') %}
{% set gets = 'attention_' ~ sqlrec.in_name(patience) %}
{#- Rounding may give a number below 0. #}
{% if grades == 'given' %}
{% set deserves = 'deserved_' ~ sqlrec.in_name(patience) %}
case
    when relevant_items > 0
    then abs(
        coalesce(sum({{ gets }} * ({{ gets }} - 2 * coalesce({{ deserves }}, 0))), 0)
        + sum(equal_items * {{ deserves }} * {{ deserves }})
    )
end
{% else %}
{% set deserves = sqlrec.mean_attention(patience, 'nullif(relevant_items, 0)') %}
abs(
    coalesce(sum({{ gets }} * ({{ gets }} - 2 * hit * {{ deserves }})), 0)
    + relevant_items * {{ deserves }} * {{ deserves }}
)
{% endif %}
{% endmacro %}
