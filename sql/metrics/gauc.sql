-- GAUC: the share of a user's pairs of a relevant and an irrelevant item in which the relevant item
-- has the higher score, from 0 to 1.
--
--      pairs with the relevant item higher  +  pairs with equal scores / 2
--     ---------------------------------------------------------------------
--             relevant rated items * rated items not relevant
--
-- Rated items are in the user's list within k and in the truth. The truth must also contain
-- irrelevant items, with relevance 0. Random scores give 0.5.
--
-- Source    Zhu et al. 2017, doi.org/10.1145/3097983.3098134, with weight=impressions; Rendle et
--           al. 2009, arxiv.org/abs/1205.2618, without weights
-- Agrees    scikit-learn roc_auc_score of each user
-- Differs   RecBole GAUC, which weights users by positives, over lists of all items
-- Params    weight = none | impressions | positives: all users have equal weight, or are
--           weighted by their number of rated items, or of relevant rated items
-- Undefined for a user with only relevant or only irrelevant rated items, who is excluded
-- Aliases   user_auc
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__gauc(weight='none') %}
sum(relevant * (negatives_so_far - tied_negatives / 2))
/ nullif(sum(relevant) * sum(1 - relevant), 0)
{% endmacro %}

{% macro rated__gauc__weight(weight='none') %}
{{ 'cast(count(*) as double)' if weight == 'impressions' else 'sum(relevant)' if weight == 'positives' }}
{% endmacro %}
