-- Slate IPS: the mean reward that the slates of another policy would have had, estimated by inverse
-- propensity scores, unbounded.
--
--      sum of  weight * reward  over the positions of all slates
--     -----------------------------------------------------------
--                         slates
--
-- A slate is a list of items shown together: rows of logs with the same slate_id, a row for each
-- position with the reward of this position. The weight is a product of target probability /
-- propensity:
--
--      behavior=standard      of all positions of the slate: a reward depends on the whole slate
--      behavior=cascade       of the position and all above it: users read from the top (RIPS)
--      behavior=independent   only of the position (IIPS)
--
-- For standard and cascade, each probability is conditional on the items above it; for independent,
-- it is the probability of the item at its position. Fewer factors lower the variance, but cause a
-- bias if users behave otherwise. With divide_by=weights, each weight is divided by the mean weight
-- at its position (self-normalized).
--
-- Source    McInerney et al. 2020, arxiv.org/abs/2007.12986 (standard, cascade); Li et al. 2018,
--           arxiv.org/abs/1804.10488 (independent)
-- Agrees    obp SlateStandardIPS, SlateRewardInteractionIPS, SlateIndependentIPS; with
--           divide_by=weights SelfNormalizedSlateStandardIPS,
--           SelfNormalizedSlateRewardInteractionIPS, SelfNormalizedSlateIndependentIPS, if slates
--           are equally long
-- Params    behavior = standard | cascade | independent: the positions that a reward depends on
--           divide_by = slates | weights: divide by the number of slates, and with weights also
--           divide each weight by its mean
-- Undefined if all weights at a position are 0, with divide_by=weights
-- Aliases   sips
-- Better    higher
-- Family    off-policy
-- Cutoff    optional
-- Inputs    logs(reward, propensity, slate_id, position), recs if given
{% macro logged__slate_ips(behavior='standard', divide_by='slates') %}
{% set weight = {'standard': 'slate_weight', 'cascade': 'cascade_weight', 'independent': 'weight'}[behavior] %}
{% if divide_by == 'weights' %}
case
    when count(*) = count(normalized_{{ weight }}) then sum(normalized_{{ weight }} * reward) / sum(1 / slate_length)
end
{% else %}
sum({{ weight }} * reward) / sum(1 / slate_length)
{% endif %}
{% endmacro %}

-- With divide_by=weights the value is linearized around the mean reward of all slates at each
-- position, which is a constant here: the ratios of these sums change with a user as the value
-- does.
{% macro logged__slate_ips__numerator(behavior='standard', divide_by='slates') %}
{% set weight = {'standard': 'slate_weight', 'cascade': 'cascade_weight', 'independent': 'weight'}[behavior] %}
{% set mean_reward = 'mean_reward_by_' ~ weight %}
{% if divide_by == 'weights' %}
sum({{ mean_reward }} + normalized_{{ weight }} * (reward - {{ mean_reward }}))
{% else %}
sum({{ weight }} * reward)
{% endif %}
{% endmacro %}

{% macro logged__slate_ips__denominator(behavior='standard', divide_by='slates') %}
sum(1 / slate_length)
{% endmacro %}
