-- Label ranking loss: the share of pairs of a relevant and an irrelevant item of the catalog in
-- which the relevant one is not ranked higher, from 0 to 1.
--
--      pairs with the other item above, or with neither in the list
--     --------------------------------------------------------------
--                relevant items * items that are not relevant
--
-- Items that the list does not have are tied below it, and a tie counts as lost. Equal scores
-- within the list count as lost with ties="worst".
--
-- Source    Tsoumakas et al. 2010, doi.org/10.1007/978-0-387-09823-4_34
-- Agrees    scikit-learn label_ranking_loss
-- Differs   1 - catalog_auc, which counts ties half
-- Undefined for a user without a relevant item, or without an irrelevant item; if the catalog has
--           fewer items than are shown or relevant
-- Aliases   ranking_loss
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog
{% macro hits__label_ranking_loss() %}
{% set loss %}
(sum(hit * misses_so_far) + (relevant_items - sum(hit)) * (catalog_items - relevant_items))
/ nullif(relevant_items * (catalog_items - relevant_items), 0)
{% endset %}
{{ sqlrec.where_all_in_catalog(loss) }}
{% endmacro %}
