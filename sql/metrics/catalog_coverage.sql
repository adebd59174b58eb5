-- Catalog coverage: the share of the catalog's items that at least one list shows, from 0 to 1.
--
--      items of the catalog that some list shows within k
--     ----------------------------------------------------
--                   items of the catalog
--
-- Recommended items outside the catalog do not count, unless outside=counted; then the value can
-- exceed 1. With outside=counted and unit=items, it is the number of different items in all lists,
-- which needs no catalog.
--
-- Source    Herlocker et al. 2004, doi.org/10.1145/963770.963772
-- Agrees    rs_metrics coverage; RecBole ItemCoverage with padding=1; with items=history RePlay
--           Coverage from 0.13; with outside=counted RecTools CatalogCoverage(normalize=True), and
--           with unit=items CatalogCoverage; with items=history and outside=counted RePlay up to
--           0.12 and recommenders catalog_coverage; with outside=counted and unit=percent
--           recmetrics prediction_coverage
-- Params    items = catalog | history: the items to cover: the catalog, or the items of the history
--           outside = ignored | counted: whether recommended items that are not among these items
--           count as shown
--           unit = share | items | percent: the share of the items that at least one list shows;
--           their number; or the share in percent, rounded to two decimals
--           padding = 0 from 0 to 1000000 by 1: additional items, which no list shows
-- Undefined if no user has a list, or the set of items to cover is empty
-- Aliases   coverage, catalogue_coverage, item_coverage
-- Better    higher
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog unless outside=counted and unit=items,
--           history if items=history unless outside=counted and unit=items
{% macro item_exposure__catalog_coverage(items='catalog', outside='ignored', unit='share', padding=0) %}
{% set number = items ~ '_items' ~ (' + ' ~ padding if padding else '') %}
{% set counted = 'cast(1 as double)' if outside == 'counted' else 'in_' ~ items %}
{% set whole = 'case when ' ~ number ~ ' > 0 then cast(1 as double) end' if unit == 'items' else 'nullif(' ~ number ~ ', 0)' %}
{% set shown = 'sum(case when lists > 0 then ' ~ counted ~ ' else 0 end)' %}
{% set covered = shown ~ ' / ' ~ whole if outside == 'ignored' or unit != 'items' else shown %}
{{ sqlrec.rounded(covered ~ ' * 100', 'two') if unit == 'percent' else covered }}
{% endmacro %}
