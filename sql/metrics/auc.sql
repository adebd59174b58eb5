-- AUC: the share of pairs of a relevant and an irrelevant item, over all users together, in which
-- the relevant item has the higher score, from 0 to 1.
--
--      pairs with the relevant item higher  +  pairs with equal scores / 2
--     ---------------------------------------------------------------------
--             relevant rated items * rated items not relevant
--
-- Rated items are in the user's list within k and in the truth. The truth must also contain
-- irrelevant items, with relevance 0. A pair may consist of items of two users, so scores must be
-- comparable between users; gauc compares within users. Random scores give 0.5.
--
-- Source    Hanley & McNeil 1982, doi.org/10.1148/radiology.143.1.7063747
-- Agrees    scikit-learn roc_auc_score, Jurity AUC
-- Undefined if no rated item is relevant, or all rated items are
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__auc() %}
sum(relevant * (negatives_so_far - tied_negatives / 2))
/ nullif(sum(relevant) * sum(1 - relevant), 0)
{% endmacro %}
