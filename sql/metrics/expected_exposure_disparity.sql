-- Expected exposure disparity: how unequally a list distributes exposure over items, at least 0.
--
--     sum of  gets(i)^2  over the items of the list,   gets(i) = patience^(rank - 1) within k
--
-- With one list per user it depends only on the number of items. It is the term of
-- expected_exposure_loss that does not depend on the truth.
--
-- Source    Diaz et al. 2020, doi.org/10.1145/3340531.3411962, with the user model of rank-biased
--           precision
-- Agrees    expeval -u rbp -U, disparity, by the same authors, for users with a list
-- Differs   expeval for a user without a list; its normalized form, which it prints by default
-- Params    patience = 0.5 above 0 below 1: the probability of continuing from one rank to the next
-- Undefined never; without a list, the value is 0
-- Aliases   eed, ee_d
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth
{% macro list_attention__expected_exposure_disparity(patience=0.5) %}
{% set gets = 'attention_' ~ sqlrec.in_name(patience) %}
coalesce(sum({{ gets }} * {{ gets }}), 0)
{% endmacro %}
