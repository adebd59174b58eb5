-- Calibration JS: the Jensen-Shannon divergence between the categories of the list and the
-- categories of the user's history, in bits, from 0 to 1. It measures miscalibration, so 0 is best.
--
--      sum over categories of  (p * log2(p / m) + q * log2(q / m)) / 2      m = (p + q) / 2
--
--      p, q = the category's share of the history, and of the list within k
--
-- Each item has weight 1, divided equally among its categories; an item of the history counts once
-- per user. Items without a category are excluded. The value is 1 if list and history have no
-- category in common. Unlike calibration_kl it needs no smoothing.
--
-- Source    Lin 1991, doi.org/10.1109/18.61115, with the shares of Steck 2018,
--           doi.org/10.1145/3240323.3240372
-- Agrees    the square of SciPy's jensenshannon with base=2, of the same shares
-- Undefined for a user without a list, or if no item of the list within k, or no item of the
--           history, has a category; such a user is excluded
-- Better    lower
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, history, items(category)
{% macro category_distributions__calibration_js() %}
{#- p log2(p / m) is p - p log2(1 + q / p) for the mean m of p and q. #}
{#- For nearly equal shares, rounding can give a negative value; each set of shares sums to 1. #}
abs(sum(
    history_share + list_share
    - coalesce(history_share * log2(1 + list_share / nullif(history_share, 0)), 0)
    - coalesce(list_share * log2(1 + history_share / nullif(list_share, 0)), 0)
)) / sum(history_share + list_share)
{% endmacro %}
