-- Limited AUC: how high the relevant items within k rank above the irrelevant items of the catalog,
-- as a share of the best possible list, from 0 to 1. Known as LAUC.
--
--      sum over the hits within k of  1 - (misses above the hit) / (items that are not relevant)
--     -------------------------------------------------------------------------------------------
--                                   min( k, relevant items )
--
-- A relevant item past the cutoff counts as 0; catalog_auc compares it with the items below it.
--
-- Source    Elliot 0.3.1, github.com/sisinflab/elliot
-- Agrees    Elliot and WarpRec LAUC with padding=1
-- Differs   catalog_auc, which takes all pairs of a relevant and an irrelevant item
-- Params    padding = 0 from 0 to 1000000 by 1: additional items that are not relevant
-- Undefined for a user without a relevant item, or without an irrelevant item; if the catalog has
--           fewer items than are shown or relevant
-- Aliases   lauc
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth, catalog
{% macro hits__limited_auc(padding=0) %}
{% set others = '(catalog_items - relevant_items' ~ (' + ' ~ padding if padding else '') ~ ')' %}
{{ sqlrec.where_all_in_catalog('(sum(hit) - sum(hit * misses_so_far) / nullif(' ~ others ~ ', 0)) / nullif(' ~ sqlrec.least('k', 'relevant_items') ~ ', 0)') }}
{% endmacro %}
