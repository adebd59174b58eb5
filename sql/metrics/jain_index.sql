-- Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1, all items
-- are shown equally often. If m of n items are shown equally often and the other items never, the
-- value is m/n.
--
--       (sum of shown(i))^2
--     -----------------------  over n items i
--      n * sum of shown(i)^2
--
-- Source    Jain, Chiu & Hawe 1984, A Quantitative Measure of Fairness, DEC-TR-301
-- Params    items = recommended | catalog: the items that at least one list shows; or all items of
--           the catalog, which is the default if there is a catalog. With items=catalog,
--           recommended items outside the catalog do not count
--           weight = plain | rank: the exposure of an item: the number of lists that show it, or
--           the sum of 1 / log2(rank + 1) over these lists
-- Undefined if no list shows any of the items
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog
{% macro item_exposure__jain_index(items='recommended', weight='plain') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set amount = 'in_catalog * ' ~ shown if items == 'catalog' else shown %}
{% set n = 'max(catalog_items)' if items == 'catalog' else 'count(' ~ shown ~ ')' %}
{{ sqlrec.share_of('sum(' ~ amount ~ ') * sum(' ~ amount ~ ')', n ~ ' * sum(' ~ amount ~ ' * ' ~ shown ~ ')', true) }}
{% endmacro %}
