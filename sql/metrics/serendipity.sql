-- Serendipity: the share of the list that is relevant, with each hit weighted by how far above
-- its popularity rank it is ranked, from 0 to 1.
--
--      sum over the hits within k of  max( level of popularity - rank, 0 ) / items
--     ------------------------------------------------------------------------------
--                              length of the list within k
--
-- Level 1 has the items with the most users, level 2 has the items with the next lower number of
-- users, and so on; items without history come last. If items of the history are missing from the
-- catalog, the value can exceed 1.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools Serendipity with items=catalog, if no user has an item twice in the history,
--           over users with a list and a relevant item
-- Differs   RecTools, which counts a user without a relevant item as 0; baseline_serendipity, which
--           follows Ge et al. 2010; other libraries, which define it differently
-- Params    items = history | catalog: the items of the popularity ranks and of the divisor
--           divide_by = list_length | k | lines: the length of the list within k, the cutoff, or
--           the length of the list if an item counts once for each of its rows in the truth
-- Undefined for a user without a list or without a relevant item, who is excluded; if there are
--           no items
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, truth, history, catalog if items=catalog
{% macro recommended_items__serendipity(items='history', divide_by='list_length') %}
{% set items = 'catalog_items' if items == 'catalog' else 'history_items' %}
{% set level = 'coalesce(levels_above, ' ~ items ~ ') + 1' %}
case
    when relevant_items > 0
    then sum(hit * case when {{ level }} > rank then {{ level }} - rank else cast(0 as double) end)
        / nullif({{ items }}, 0) / {{ 'count(*)' if divide_by == 'lines' else divide_by }}
end
{% endmacro %}
