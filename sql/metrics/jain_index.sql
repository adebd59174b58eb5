-- Jain's index: how fairly the exposure is shared out among the items, from 0 to 1. At 1 all items are
-- shown alike; at m/n it is as if m of n items shared it.
--
--       (sum of shown(i))^2
--     -----------------------  over n items i
--      n * sum of shown(i)^2
--
-- Source    Jain, Chiu & Hawe 1984, A Quantitative Measure of Fairness, DEC-TR-301
-- Params    items = recommended | catalog: the items that some list shows, or those of the catalog,
--           shown or not; recommended items that it does not have do not count there
--           weight = plain | rank: how many lists show the item, or their sum of 1 / log2(place + 1)
-- Undefined where no list shows one of the items
-- Better    higher
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog
{% macro exposed__jain_index(items='recommended', weight='plain') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set amount = 'in_catalog * ' ~ shown if items == 'catalog' else shown %}
{% set n = 'max(catalog_items)' if items == 'catalog' else 'count(' ~ shown ~ ')' %}
sum({{ amount }}) * sum({{ amount }}) / nullif({{ n }} * sum({{ amount }} * {{ shown }}), 0)
{% endmacro %}
