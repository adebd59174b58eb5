-- Gini: how unequally exposure is distributed over the items, from 0 to 1. At 0, all items are
-- shown equally often; near 1, a few items receive almost all exposure.
--
--      sum of  (2 * i - n - 1) * shown(i)
--     ------------------------------------ ,   items i = 1 ... n from the least to the most shown
--             n * sum of  shown(i)
--
-- The largest value, reached if one item receives all exposure, is 1 - 1/n, or 1 with
-- divide_by=others.
--
-- Source    Gini 1912, in the form of Castells et al. 2022, Recommender Systems Handbook, chapter
--           Novelty and Diversity; for exposure Biega et al. 2018, doi.org/10.1145/3209978.3210063
-- Agrees    items=catalog: RecBole GiniIndex with padding=1, which rounds the value; LensKit
--           ListGini; LensKit ExposureGini with weight=geometric, or with weight=rank for its
--           LogRankWeight(offset=1); divide_by=others: Evidently PopularityBiasMetric gini, and
--           WarpRec Gini with items=catalog
-- Differs   Elliot Gini, which is 1 minus the value with items=catalog and divide_by=others
-- Params    items = recommended | catalog: the items that at least one list shows; or all items of
--           the catalog, which is the default if there is a catalog. With items=catalog,
--           recommended items outside the catalog do not count
--           weight = plain | rank | geometric: the exposure of an item: the number of lists that
--           show it, or the sum over these lists of 1 / log2(rank + 1) or of patience^(rank - 1)
--           patience = 0.85 above 0 below 1: with weight=geometric, the weight of a rank divided by
--           the weight of the rank above
--           padding = 0 from 0 to 1000000 by 1: with items=catalog, additional items, which no list
--           shows
--           divide_by = items | others: n, or n - 1
-- Undefined if no list shows any of the items, and with divide_by=others for a single item
-- Aliases   gini_index
-- Better    lower
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog if items=catalog
{% macro item_exposure__gini(items='recommended', weight='plain', patience=0.85, padding=0, divide_by='items') %}
{% set others = divide_by == 'others' %}
{% set shown = 'exposure' if weight == 'rank' else 'faded_' ~ sqlrec.in_name(patience) if weight == 'geometric' else 'lists' %}
{% if items == 'catalog' %}
{% set n = '(catalog_items + ' ~ padding ~ ')' if padding else 'catalog_items' %}
{% set gini = '(' ~ n ~ ' + 1 - 2 * sum(in_catalog * catalog_rank_' ~ shown ~ ' * ' ~ shown ~ ')
    / nullif(sum(in_catalog * ' ~ shown ~ '), 0)) / ' ~ ('nullif(' ~ n ~ ' - 1, 0)' if others else n) %}
{% else %}
{% set gini = '(count(' ~ shown ~ ') + 1 - 2 * sum(rank_' ~ shown ~ ' * ' ~ shown ~ ')
    / sum(' ~ shown ~ ')) / ' ~ ('nullif(count(' ~ shown ~ ') - 1, 0)' if others else 'count(' ~ shown ~ ')') %}
{% endif %}
{#- Rounding may give a number below 0. #}
case when {{ gini }} < 0 then 0 else {{ gini }} end
{% endmacro %}
