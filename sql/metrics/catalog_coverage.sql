-- Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1.
--
--      items of the catalog that some list shows within k
--     ----------------------------------------------------
--                   items of the catalog
--
-- Recommended items that the catalog does not have do not count.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    rs_metrics coverage; RePlay Coverage from 0.13, with the training items as catalog;
--           RecBole ItemCoverage
-- Differs   RecTools CatalogCoverage and RePlay up to 0.12, which count recommended items that the
--           catalog does not have too, so that it can be above 1
-- Undefined where nobody has a list
-- Aliases   coverage, catalogue_coverage, item_coverage
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog
{% macro exposed__catalog_coverage() %}
sum(case when lists > 0 then in_catalog else 0 end) / nullif(catalog_items, 0)
{% endmacro %}
