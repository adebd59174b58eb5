-- Item score MAD, mean absolute difference: how much the mean scores of groups of items differ,
-- over the places where lists show them to users for whom they are relevant, from 0 up. At 0 the
-- mean scores of all groups are equal.
--
--      2 * sum of  |scores(g) - scores(h)|  over the pairs of groups g, h
--     --------------------------------------------------------------------
--                        groups * (groups - 1)
--
--     scores(g)  the mean over the items of g that lists show within k of  scores(i)
--     scores(i)  the mean over the places within k that show i: its score where it is relevant to the
--                user of the list, else 0
--
-- The unit is that of the scores: models with scores of another unit can't be compared. Items have
-- equal weight, no matter how often they are shown. A hit without a score counts 0. Groups without
-- a shown item are left out.
--
-- Source    Deldjoo et al. 2021, doi.org/10.1007/s11257-020-09285-1, over pairs of groups; for two
--           groups Zhu, Hu & Caverlee 2018, doi.org/10.1145/3269206.3271795
-- Agrees    Elliot ItemMADrating; WarpRec ItemMADRating with places=hits
-- Differs   item_mad, by the gains of the truth
-- Params    places = all | hits: the mean over all places that show the item, or only over its hits
-- Undefined where lists show items of less than two groups, or with places=hits have hits of less
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs(score), truth, items(item_group)
{% macro group_gains__item_score_mad(places='all') %}
{{ sqlrec.mean_group_difference('score_' ~ places) }}
{% endmacro %}
