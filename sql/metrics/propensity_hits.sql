-- Propensity hits: the number of hits, each weighted by the inverse of its item's share of the
-- history, at least 0.
--
--     sum over the hits within k of  min( interactions of the history / users of the item, cap )
--
-- An interaction is a pair of a user and an item in the history, counted once. A hit with an item
-- that is not in the history counts as 0, because its propensity is not known.
--
-- Source    RecPack 0.3, gitlab.com/recpack-maintainers/recpack, as inverse propensity scores of
--           items
-- Agrees    RecPack IPSHitRateK, fitted to the history
-- Differs   ips and list_ips, which use logged decisions and propensities in the truth;
--           stratified_recall, which divides by the sum of the weights of the user's relevant items
-- Params    cap = 10000 above 0 to 1000000000: the largest weight of a hit
-- Undefined never; without a list or a relevant item, the value is 0
-- Aliases   ips_hit_rate
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, history
{% macro target_items__propensity_hits(cap=10000) %}
coalesce(sum(hit * {{ sqlrec.least('item_rarity', sqlrec.double(cap)) }}), 0)
{% endmacro %}
