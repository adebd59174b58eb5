-- Percentile rank: how far down the ranked catalog the user's relevant items are, as a share of the
-- catalog, averaged over these items, from 0 to 1. It is 0 at the top of the list, and about 1/2 in
-- a random order.
--
--      sum over the hits within k of  (rank - 1) / catalog
--            +  misses of the list * (n - 1 + catalog) / (2 * catalog),  n ranks within k
--     -----------------------------------------------------------------------------------
--                                    relevant items
--
-- A relevant item that the list does not have is assumed to be in the middle of the remaining
-- catalog, so the value is 1/2 without a list.
--
-- Source    Hu et al. 2008, doi.org/10.1109/ICDM.2008.22, with items that a list lacks treated as
--           in RecPack 0.3
-- Agrees    RecPack PercentileRanking, with average=pooled and unit=percent
-- Params    average = users | pooled: the mean over users, or over the relevant items of all users
--           unit = share | percent: the share, or 100 times it
-- Undefined for a user without a relevant item; if the catalog has fewer items than are shown or
--           relevant
-- Aliases   expected_percentile_ranking
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog
{% macro hits__percentile_rank(average='users', unit='share') %}
{% set share %}
(
    sum(hit * (rank - 1))
    + (relevant_items - sum(hit)) * (greatest(list_length - cast(1 as double), cast(0 as double)) + catalog_items) / 2
) / nullif(relevant_items * catalog_items, 0)
{%- endset %}
{{ sqlrec.where_all_in_catalog(share ~ (' * 100' if unit == 'percent' else '')) }}
{% endmacro %}

{% macro hits__percentile_rank__weight(average='users', unit='share') %}
cast(relevant_items as double)
{% endmacro %}
