-- Leak share: the share of the user's relevant items that are already in the user's history, from 0
-- to 1.
--
--      relevant items that are in the history
--     ----------------------------------------
--                 relevant items
--
-- The history is the training data of the model. If users do not return to items, a relevant item
-- in the history is a leak: the data were split incorrectly, and the model may have learned the
-- answer. The lists do not change the value.
--
-- Source    Ji, Sun, Zhang & Li 2023, doi.org/10.1145/3569930, on such leaks
-- Undefined for a user without a relevant item
-- Better    lower
-- Family    novelty
-- Cutoff    none
-- Inputs    recs, truth, history
{% macro target_items__leak_share() %}
favg(seen)
{% endmacro %}
