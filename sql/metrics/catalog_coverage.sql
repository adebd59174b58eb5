-- Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1.
--
--      items of the catalog that some list shows within k
--     ----------------------------------------------------
--                   items of the catalog
--
-- Recommended items that the catalog does not have do not count, unless asked for: then it can be above
-- 1.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    rs_metrics coverage; RecBole ItemCoverage with padding=1; with items=history RePlay
--           Coverage from 0.13; with outside=counted RecTools CatalogCoverage(normalize=True); with both
--           RePlay up to 0.12 and recommenders catalog_coverage
-- Params    items = catalog | history: what items there are
--           outside = ignored | counted: recommended items that are none of these, among those shown
--           padding = 0 from 0 to 1000000 by 1: items there are besides, shown by no list
-- Undefined where no user has a list, or there are no items
-- Aliases   coverage, catalogue_coverage, item_coverage
-- Better    higher
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog, history if items=history
{% macro exposed__catalog_coverage(items='catalog', outside='ignored', padding=0) %}
{% set counted = sqlrec.double(1) if outside == 'counted' else 'in_' ~ items %}
sum(case when lists > 0 then {{ counted }} else 0 end) / nullif({{ items }}_items{{ ' + ' ~ padding if padding }}, 0)
{% endmacro %}
