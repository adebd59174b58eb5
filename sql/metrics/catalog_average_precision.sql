-- Catalog average precision: the share of relevant items among those ranked at or above a relevant
-- item, averaged over the user's relevant items, from 0 to 1.
--
--      sum over the hits of  (hits so far) / (rank)  +  misses of the list * relevant / catalog
--     -------------------------------------------------------------------------------------------
--                                          relevant items
--
-- Items that the list does not have are tied below it, so the whole catalog is at or above a
-- relevant item that the list does not have.
--
-- Source    Tsoumakas et al. 2010, doi.org/10.1007/978-0-387-09823-4_34, as average precision of
--           labels
-- Agrees    scikit-learn average_precision_score and label_ranking_average_precision_score, if no
--           scores are equal
-- Differs   average_precision, where a relevant item that the list does not have counts as 0
-- Undefined for a user without a relevant item; if the catalog has fewer items than are shown or
--           relevant
-- Aliases   lrap
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog
{% macro hits__catalog_average_precision() %}
{% set share %}
(
    sum(hit * hits_so_far / rank)
    + (relevant_items - sum(hit)) * cast(relevant_items as double) / nullif(catalog_items, 0)
) / nullif(relevant_items, 0)
{% endset %}
{{ sqlrec.where_all_in_catalog(share) }}
{% endmacro %}
