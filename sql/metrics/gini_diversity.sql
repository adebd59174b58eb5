-- Gini diversity: how evenly exposure is distributed over the catalog, from 0 to 1. At 1, all items
-- are shown equally often; at 0, one item receives all exposure.
--
--     1 - gini
--
-- This is gini with items=catalog and divide_by=others, subtracted from 1, so that a higher value
-- means more even exposure.
--
-- Source    Vargas & Castells 2014, doi.org/10.1145/2645710.2645744, as the complement of the Gini
--           index
-- Agrees    Elliot Gini
-- Differs   gini, RecBole GiniIndex and WarpRec Gini, which are higher if items are shown less
--           evenly
-- Params    weight = plain | rank: the exposure of an item: the number of lists that show it, or
--           the sum over these lists of 1 / log2(rank + 1)
-- Undefined if no list shows any item of the catalog, or the catalog has one item
-- Aliases   gini_complement
-- Better    higher
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, catalog
{% macro item_exposure__gini_diversity(weight='plain') %}
1 - {{ sqlrec.item_exposure__gini('catalog', weight, 0.85, 0, 'others') | trim }}
{% endmacro %}
