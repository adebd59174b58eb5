-- Atkinson's index: the share of all exposure that could be given up without loss of social
-- welfare, if the remaining exposure were divided equally among the items, from 0 to 1. At 0, all
-- items are shown equally often; near 1, a few items receive almost all exposure.
--
--          (mean of shown(i)^(1 - aversion))^(1 / (1 - aversion))
--     1 - --------------------------------------------------------  over the items i
--                          mean of shown(i)
--
-- A larger aversion to inequality gives more weight to the items that are shown least.
--
-- Source    Atkinson 1970, doi.org/10.1016/0022-0531(70)90039-6
-- Params    items = recommended | catalog: the items that at least one list shows; or all items of
--           the catalog, which is the default if there is a catalog. With items=catalog,
--           recommended items outside the catalog do not count
--           weight = plain | rank: the exposure of an item: the number of lists that show it, or
--           the sum of 1 / log2(rank + 1) over these lists
--           aversion = 0.5 above 0 below 1: the aversion to inequality
-- Undefined if no list shows any of the items
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog
{% macro item_exposure__atkinson_index(items='recommended', weight='plain', aversion=0.5) %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set counted = 'in_catalog * ' if items == 'catalog' else '' %}
{% set n = 'max(catalog_items)' if items == 'catalog' else 'count(' ~ shown ~ ')' %}
{% set worth = 'sum(' ~ counted ~ 'power(' ~ shown ~ ', ' ~ sqlrec.double(1 - aversion) ~ ')) / ' ~ n %}
{% set even = 'power(' ~ worth ~ ', ' ~ sqlrec.double(1 / (1 - aversion)) ~ ') * ' ~ n ~ ' / nullif(sum(' ~ counted ~ shown ~ '), 0)' %}
{#- Rounding may give a number below 0. #}
case when {{ even }} > 1 then 0 else 1 - {{ even }} end
{% endmacro %}
