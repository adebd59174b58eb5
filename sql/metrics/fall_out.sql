-- Fall-out: the share of the catalog's irrelevant items that the list shows within k, from 0 to 1.
-- It is the false positive rate.
--
--                    misses within k
--     -------------------------------------------
--      items of the catalog that are not relevant
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    torchmetrics RetrievalFallOut with top_k, fed with all items
-- Undefined if the catalog has fewer items than are shown or relevant, or no irrelevant item
-- Ties      expected, in closed form
-- Aliases   false_positive_rate
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog
{% macro hits__fall_out() %}
{{ sqlrec.where_all_in_catalog('(list_length - sum(hit)) / nullif(catalog_items - relevant_items, 0)') }}
{% endmacro %}

{% macro expected__fall_out() %}
{{ sqlrec.where_all_in_catalog(sqlrec.share_of('(list_length - sum(hit))', '(catalog_items - relevant_items)', true)) }}
{% endmacro %}
