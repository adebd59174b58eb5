-- Catalog AUC: the share of pairs of a relevant and an irrelevant item of the catalog in which the
-- list ranks the relevant one higher, from 0 to 1.
--
--      pairs with the relevant item above  +  pairs with both items unlisted / 2
--     ---------------------------------------------------------------------------
--                  relevant items * items that are not relevant
--
-- Items past the cutoff, and items that the list does not have, are tied below it. With items=list,
-- only the items of the list and the user's relevant items count, as with sampled candidates.
--
-- Source    Rendle et al. 2009, arxiv.org/abs/1205.2618
-- Agrees    scikit-learn roc_auc_score and RecBole GAUC (weight=positives) over all items,
--           torchmetrics RetrievalAUROC (items=list); Cornac AUC (neither=nothing); Elliot and
--           WarpRec GAUC with neither=nothing and padding=1, and their AUC if weight=positives is
--           added
-- Differs   gauc, over rated items; list_auc, over the ranks within k; LightFM auc_score, which
--           counts ties as 0; XGBoost auc of a ranking task, which counts pairs with equal labels
--           too
-- Params    weight = none | positives: all users have equal weight, or are weighted by their number
--           of relevant items
--           items = catalog | list: the items of the catalog, or the items of the list and the
--           relevant items
--           neither = half | nothing: the value of a pair if neither of its items is in the list
--           padding = 0 from 0 to 1000000 by 1: additional items that are not relevant, below all
--           others
-- Undefined for a user without a relevant item, or without an irrelevant item; if the catalog has
--           fewer items than are shown or relevant
-- Ties      expected, in closed form, except items=list
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth, catalog if items=catalog
{% macro hits__catalog_auc(weight='none', items='catalog', neither='half', padding=0) %}
{% set others = '(catalog_items - relevant_items)' if items == 'catalog' else '(list_length - sum(hit))' %}
{% set below %}
    sum(hit * misses_so_far)
    + (relevant_items - sum(hit)) * {{ '(' ~ others ~ ' + list_length - sum(hit)) / 2' if neither == 'half' else others }}
{% endset %}
{{ sqlrec.share_of_pairs(below, others, items, padding) }}
{% endmacro %}

-- The square of the number of hits is twice the sum of hits_so_far over the hits, less their number. So its
-- expected value, too, is a sum over ranks.
{% macro expected__catalog_auc(weight='none', items='catalog', neither='half', padding=0) %}
{% set others = '(catalog_items - relevant_items)' %}
{% set below %}
    sum(hit * (rank - hits_so_far))
    {% if neither == 'half' %}
    + (
        relevant_items * ({{ others }} + list_length) - sum(hit) * (relevant_items + {{ others }} + list_length)
        + 2 * sum(hit * hits_so_far) - sum(hit)
    ) / 2
    {% else %}
    + (relevant_items - sum(hit)) * {{ others }}
    {% endif %}
{% endset %}
{{ sqlrec.share_of_pairs(below, others, 'catalog', padding) }}
{% endmacro %}

-- The share of pairs in which the relevant item is not below the other.
{% macro share_of_pairs(below, others, items, padding) %}
{% set share = '1 - (' ~ below ~ ') / nullif(relevant_items * ' ~ ('(' ~ others ~ ' + ' ~ padding ~ ')' if padding else others) ~ ', 0)' %}
{{ sqlrec.where_all_in_catalog(share) if items == 'catalog' else share }}
{% endmacro %}

{% macro hits__catalog_auc__weight(weight='none', items='catalog', neither='half', padding=0) %}
{{ 'cast(relevant_items as double)' if weight == 'positives' }}
{% endmacro %}

{% macro expected__catalog_auc__weight(weight='none', items='catalog', neither='half', padding=0) %}
{{ sqlrec.hits__catalog_auc__weight(weight) }}
{% endmacro %}
