-- AUC: the share of pairs of a relevant and another item, of all users together, in which the
-- relevant item has the higher score, from 0 to 1.
--
--      pairs with the relevant item higher  +  pairs with equal scores / 2
--     ---------------------------------------------------------------------
--             relevant rated items * rated items not relevant
--
-- Rated items stand in the list within k and in the truth, which has to name items that are not
-- relevant: those with relevance 0. A pair may be of two users, whose scores then have to be
-- comparable; gauc stays within users. Random scores get 0.5.
--
-- Source    Hanley & McNeil 1982, doi.org/10.1148/radiology.143.1.7063747
-- Agrees    scikit-learn roc_auc_score, Jurity AUC
-- Undefined where no rated item is relevant, or all are
-- Better    higher
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pooled__auc() %}
sum(relevant * (negatives_so_far - tied_negatives / 2))
/ nullif(sum(relevant) * sum(1 - relevant), 0)
{% endmacro %}
