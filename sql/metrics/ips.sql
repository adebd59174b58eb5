-- IPS: the mean reward that another policy would have had, estimated by inverse propensity scores,
-- unbounded.
--
--      sum of  weight * reward  over the logged decisions          target probability
--     ----------------------------------------------------,  weight = --------------------
--                   logged decisions                                   propensity
--
-- It is unbiased if the propensities are right and every action of the evaluated policy has a
-- propensity above 0. A decision with a large weight counts as much as many others, so also look at
-- effective_sample_size. With recs, the target probability is 1 if the item is in the user's list
-- within k, and at the logged position if logs has positions; otherwise 0. Without recs, it is a
-- column of logs. With lists but no position, it estimates the total reward of the k items, so it
-- grows with k.
--
-- Source    Horvitz & Thompson 1952, doi.org/10.1080/01621459.1952.10483446; Strehl et al. 2010,
--           arxiv.org/abs/1003.0120
-- Agrees    obp InverseProbabilityWeighting; with divide_by=recommended Jurity
--           CTR(estimation='ips'), if logs has each pair of user and item at most once
-- Differs   Jurity, which accepts a propensity of 0, and uses 1 / items if it is missing
-- Params    divide_by = logged | recommended: the number of logged decisions, or of ranks within k
--           in all lists
-- Undefined with divide_by=recommended, if no list has an item within k
-- Aliases   ipw, inverse_propensity
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(reward, propensity), recs if given, recs if divide_by=recommended
{% macro logged__ips(divide_by='logged') %}
{% if divide_by == 'recommended' %}
sum(weight * reward) / nullif(recommended, 0)
{% else %}
favg(weight * reward)
{% endif %}
{% endmacro %}

{% macro logged__ips__error(divide_by='logged') %}
{% if divide_by == 'recommended' %}
{{ sqlrec.error_of_users('weight * reward', 'user_reward', '1 / user_decisions', 'cast(1 as double)') }}
* sum(1 / user_decisions) / nullif(recommended, 0)
{% else %}
{{ sqlrec.error_of_users('weight * reward', 'user_reward', 'cast(1 as double)', 'user_decisions') }}
{% endif %}
{% endmacro %}

{% macro logged__ips__numerator(divide_by='logged') %}
{{ 'sum(weight * reward)' if divide_by == 'logged' }}
{% endmacro %}

{% macro logged__ips__denominator(divide_by='logged') %}
{{ 'cast(count(*) as double)' if divide_by == 'logged' }}
{% endmacro %}
