-- Popularity-stratified recall: recall in which a relevant item counts less the more popular it is,
-- from 0 to 1.
--
--      sum of  users(i)^-exponent  over the hits i within k
--     ------------------------------------------------------
--      the same sum over the user's relevant items
--
-- users(i) is the number of users of the history who had item i; it is 1 for an item without
-- history. If the probability that a relevant item was observed grows with its popularity to the
-- power of gamma, an exponent of gamma / (gamma + 1) corrects for it. With an exponent of 0, it is
-- recall.
--
-- Source    Steck 2011, doi.org/10.1145/2043932.2043957
-- Params    exponent = 0.5 from 0 to 10: how strongly popularity lowers the weight of an item
--           average = users | pooled: the mean over users; or the sum over all users' hits divided
--           by the sum over all users' relevant items, which is Steck's definition
-- Undefined for a user without a relevant item
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, history
{% macro target_items__stratified_recall(exponent=0.5, average='users') %}
{% set weight = 'power(item_users, ' ~ sqlrec.double(-exponent) ~ ')' %}
sum(hit * {{ weight }}) / sum({{ weight }})
{% endmacro %}

{% macro target_items__stratified_recall__weight(exponent=0.5, average='users') %}
sum(power(item_users, {{ sqlrec.double(-exponent) }}))
{% endmacro %}
