-- Popularity-stratified recall: the recall in which a relevant item counts the less, the more
-- popular it is, from 0 to 1.
--
--      sum of  users(i)^-exponent  over the hits i within k
--     ------------------------------------------------------
--      the same sum over the user's relevant items
--
-- With users(i) as the users of the history who had item i; 1 for an item without history. If the
-- chance that a relevant item was had grows with its popularity to the power of gamma, an exponent of
-- gamma / (gamma + 1) makes up for it. With an exponent of 0 it is the recall.
--
-- Source    Steck 2011, doi.org/10.1145/2043932.2043957
-- Params    exponent = 0.5 from 0 to 10: how much less popular items count
--           average = users | pooled: the mean over users, or all users' hits over all users' relevant
--           items, which is Steck's
-- Undefined for a user without a relevant item
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, history
{% macro targets__stratified_recall(exponent=0.5, average='users') %}
{% set weight = 'power(item_users, ' ~ sqlrec.double(-exponent) ~ ')' %}
sum(found * {{ weight }}) / sum({{ weight }})
{% endmacro %}

{% macro targets__stratified_recall__weight(exponent=0.5, average='users') %}
{% if average == 'pooled' %}
sum(power(item_users, {{ sqlrec.double(-exponent) }}))
{% endif %}
{% endmacro %}
