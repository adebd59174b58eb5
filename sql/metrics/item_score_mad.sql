-- Item score MAD: the mean absolute difference between the mean scores of groups of items, at least
-- 0. At 0, the mean scores of all groups are equal.
--
--      2 * sum of  |scores(g) - scores(h)|  over the pairs of groups g, h
--     --------------------------------------------------------------------
--                        groups * (groups - 1)
--
--     scores(g)  the mean over the items of g that lists show within k of  scores(i)
--     scores(i)  the mean of the score of i over the ranks within k that show it; 0 for a rank in the
--                list of a user to whom i is not relevant
--
-- The value has the unit of the scores: compare only models with scores on the same scale. Items
-- have equal weight, even if they are shown often. A hit without a score counts as 0. Groups
-- without a shown item are excluded.
--
-- Source    Deldjoo et al. 2021, doi.org/10.1007/s11257-020-09285-1, over pairs of groups; for two
--           groups Zhu, Hu & Caverlee 2018, doi.org/10.1145/3269206.3271795
-- Agrees    Elliot ItemMADrating; WarpRec ItemMADRating with ranks=hits
-- Differs   item_mad, which averages the grades of the truth
-- Params    ranks = all | hits: the mean over all ranks that show the item, or only over its hits
-- Undefined if fewer than two groups have a shown item, or with ranks=hits, a hit
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs(score), truth, items(item_group)
{% macro group_gains__item_score_mad(ranks='all') %}
{{ sqlrec.mean_group_difference('score_' ~ ranks) }}
{% endmacro %}
