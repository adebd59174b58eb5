-- Alpha-NDCG: how near a list is to the best list where a hit counts for less the more hits above are
-- of its aspects, from 0 to 1.
--
--      sum of  gain / log2(place + 1)  over the hits within k
--     --------------------------------------------------------
--              the same sum for the best list
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- The best list takes, place by place, the relevant item that then gains most; of those that gain as
-- much, the last by its id. So do the paper and ndeval, as the very best list is too hard to find: one
-- that happens on it is above 1 by a little. Where a recursive query may not rank its rows, each place is
-- a query of its own, so a deep cutoff makes a long statement: SQLite runs it to 35.
-- An item without aspect gains nothing.
--
-- Source    Clarke et al. 2008, doi.org/10.1145/1390334.1390446
-- Agrees    pyndeval alpha-nDCG; ir_measures alpha_nDCG, where all users have a list
-- Differs   rs_metrics a_ndcg: counts all items above, not hits alone; takes for the best list another
--           one, as long as the list and whatever the user wants; and counts every aspect at alpha 0
-- Params    alpha = 0.5 from 0 to 1: how much a further hit of an aspect loses
-- Undefined for a user without relevant item that has an aspect
-- Aliases   a_ndcg
-- Better    higher
-- Family    diversity
-- Cutoff    a number up to 100
-- Inputs    recs, truth, items(aspect)
{% macro aspected__alpha_ndcg(alpha=0.5) %}
sum({{ sqlrec.fading(1 - alpha, 'earlier_hits', 100) }} * discount) / {{ sqlrec.ideal_alpha_dcg(alpha) }}
{% endmacro %}
