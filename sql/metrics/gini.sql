-- Gini: how unequally the lists are shared out among the items, from 0 to 1. At 0 all items are
-- shown alike, near 1 a few take everything.
--
--      sum of  (2 * i - n - 1) * shown(i)
--     ------------------------------------ ,   items i = 1 ... n from the least to the most shown
--             n * sum of  shown(i)
--
-- The largest value is 1 - 1/n: one item takes everything.
--
-- Source    Gini 1912, in the form of Castells et al. 2022, Recommender Systems Handbook, chapter
--           Novelty and Diversity; for exposure Biega et al. 2018, doi.org/10.1145/3209978.3210063
-- Agrees    items=catalog: RecBole GiniIndex, which rounds it; LensKit ListGini, and with weight=rank
--           its ExposureGini with LogRankWeight(offset=1)
-- Differs   Elliot Gini, 1 minus this one with items=catalog times n / (n - 1); Evidently, times
--           n / (n - 1); LensKit ExposureGini, whose weights are 0.85^(place - 1) by default
-- Params    items = recommended | catalog: the items that some list shows, or those of the catalog,
--           shown or not; recommended items that it does not have do not count there
--           weight = plain | rank: how many lists show the item, or their sum of 1 / log2(place + 1)
-- Undefined where no list shows one of the items
-- Aliases   gini_index
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog
{% macro exposed__gini(items='recommended', weight='plain') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% if items == 'catalog' %}
{% set gini = '(catalog_items + 1 - 2 * sum(in_catalog * catalog_place_' ~ shown ~ ' * ' ~ shown ~ ')
    / nullif(sum(in_catalog * ' ~ shown ~ '), 0)) / catalog_items' %}
{% else %}
{% set gini = '(count(' ~ shown ~ ') + 1 - 2 * sum(place_' ~ shown ~ ' * ' ~ shown ~ ')
    / sum(' ~ shown ~ ')) / count(' ~ shown ~ ')' %}
{% endif %}
{#- What rounding leaves of 0 may lie below it. #}
case when {{ gini }} < 0 then 0 else {{ gini }} end
{% endmacro %}
