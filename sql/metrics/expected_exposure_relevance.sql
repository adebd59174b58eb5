-- Expected exposure relevance: how much exposure a list gives to items that deserve it, at least 0.
--
--     sum of  gets(i) * deserves(i)  over the items of the list
--
--     gets      patience^(rank - 1) within k
--     deserves  the mean exposure of the items of the same grade if the user's relevant items were
--               shown from best to worst: for one of m items of a grade with b better items
--               (patience^b - patience^(b + m)) / (m * (1 - patience)); 0 if it is not relevant
--
-- It is the term of expected_exposure_loss that should be large.
--
-- Source    Diaz et al. 2020, doi.org/10.1145/3340531.3411962, with the user model of rank-biased
--           precision
-- Agrees    expeval -u rbp -U, relevance, by the same authors, for users with a list
-- Differs   expeval's normalized form, which it prints by default
-- Params    patience = 0.5 above 0 below 1: the probability of continuing from one rank to the next
--           grades = given | binary: items of different grades deserve different exposure, or all
--           relevant items deserve the same exposure
-- Undefined for a user without a relevant item
-- Aliases   eer, ee_r
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth
{% macro list_attention__expected_exposure_relevance(patience=0.5, grades='given') %}
{% set gets = 'attention_' ~ sqlrec.in_name(patience) %}
{% if grades == 'given' %}
case when relevant_items > 0 then coalesce(sum({{ gets }} * deserved_{{ sqlrec.in_name(patience) }}), 0) end
{% else %}
case
    when relevant_items > 0
    then coalesce(sum(hit * {{ gets }}), 0) * {{ sqlrec.mean_attention(patience, 'nullif(relevant_items, 0)') }}
end
{% endif %}
{% endmacro %}
