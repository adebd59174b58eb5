-- NRBP: the novelty- and rank-biased precision, which is the RBP of a list in which a hit gains
-- less for each higher hit with the same aspect, from 0 to 1.
--
--      1 - (1 - alpha) * p
--     --------------------- * sum over the ranks i within k of  p^(i - 1) * gain
--               A
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- A is the number of aspects of the relevant items. An endless list in which every item is a hit
-- with all aspects has the value 1.
--
-- Source    Clarke, Kolla & Vechtomova 2009, doi.org/10.1007/978-3-642-04417-5_17
-- Agrees    pyndeval NRBP; ir_measures NRBP, if all users have a list
-- Params    alpha = 0.5 from 0 to 1: the share of an aspect's gain that is lost for each higher hit
--           with that aspect
--           p = 0.5 above 0 below 1: the probability of continuing from one rank to the next, beta
--           in the paper
-- Undefined for a user without a relevant item that has an aspect
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__nrbp(alpha=0.5, p=0.5) %}
{% set gains = 'hit_with_aspect * ' ~ sqlrec.power_of_fraction(1 - alpha, 'earlier_hits') ~ ' * ' ~ sqlrec.power_of_fraction(p, 'rank - 1') %}
{{ sqlrec.share_of('(1 - ' ~ sqlrec.double((1 - alpha) * p) ~ ') * sum(' ~ gains ~ ')', 'user_aspects') }}
{% endmacro %}
