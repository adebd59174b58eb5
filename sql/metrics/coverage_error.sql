-- Coverage error: the number of items from the top of the ranked catalog that are needed to include
-- all of the user's relevant items, at least 1.
--
--     the rank of the last relevant item, or the size of the catalog if one is not in the list
--
-- Items past the cutoff, and items that the list does not have, are tied below it. The best
-- value is the number of relevant items.
--
-- Source    Tsoumakas et al. 2010, doi.org/10.1007/978-0-387-09823-4_34
-- Agrees    scikit-learn coverage_error, with ties="worst" if scores are equal
-- Undefined for a user without a relevant item; if the catalog has fewer items than are shown or
--           relevant
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog
{% macro hits__coverage_error() %}
{% set last = 'case when sum(hit) < relevant_items then catalog_items else nullif(max(hit * rank), 0) end' %}
{{ sqlrec.where_all_in_catalog(last) }}
{% endmacro %}
