-- Calibration KL: the Kullback-Leibler divergence of the categories of the list from the categories
-- of the user's history, at least 0. It measures miscalibration, so 0 is best.
--
--      sum over categories of  p * log2(p / q~)      q~ = (1 - alpha) * q + alpha * p
--
--      p, q = the category's share of the history, and of the list within k
--
-- Each item has weight 1, divided equally among its categories; an item of the history counts once
-- per user. Items without a category are excluded. Mixing p into q keeps the value finite: at most
-- log2(1 / alpha), if list and history have no category in common.
--
-- Source    Steck 2018, doi.org/10.1145/3240323.3240372, which does not specify the base of the
--           logarithm
-- Agrees    SciPy's entropy(p, q~, base=2)
-- Differs   librec-auto miscalib: p is the share of the list and q the share of the history, and an
--           item counts in full in each of its categories
-- Params    alpha = 0.01 above 0 below 1: the weight of the history in the smoothed mix of the list
--           unit = bits | nats: the logarithm to base 2, or the natural one
-- Undefined for a user without a list, or if no item of the list within k, or no item of the
--           history, has a category; such a user is excluded
-- Aliases   miscalibration
-- Better    lower
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, history, items(category)
{% macro category_distributions__calibration_kl(alpha=0.01, unit='bits') %}
{% set list_part = sqlrec.double(1 - alpha) ~ ' * list_share' %}
{% set history_part = sqlrec.double(alpha) ~ ' * history_share' %}
{% set ratio = 'history_share / (' ~ list_part ~ ' + ' ~ history_part ~ ')' %}
{#- Rounding may give a number below 0. #}
abs(sum(
    case
        when history_share > 0
        then history_share * {{ sqlrec.ln(ratio) if unit == 'nats' else sqlrec.log2(ratio) }}
    end
))
{% endmacro %}
