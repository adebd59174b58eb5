-- EFD: expected free discovery: how rare the relevant items of the list are in the history, in bits,
-- weighted by place, from 0 up.
--
--      sum of  weight of the place * relevance * log2( pairs of the history / users of the item )
--     -------------------------------------------------------------------------------------------
--                                sum of  weight of the place
--
-- over the places of the list within k. Pairs are users with items that they had, once each; so this
-- is how rarely a look into the history meets the item. An item without history counts as had by one
-- user.
--
-- Source    Vargas & Castells 2011, doi.org/10.1145/2043932.2043955
-- Agrees    RankSys and Elliot EFD, where some item of the history was had by one user; recommenders
--           novelty with relevance=ignored and discount=none, for lists of one length
-- Differs   RankSys and Elliot else, where an item without history counts as the rarest that has
--           one; WarpRec, which divides by the users of the history in place of its pairs
-- Params    relevance = binary | ignored: a relevant item counts 1 and another 0, or each counts 1
--           discount = logarithmic | geometric | none: the weight of a place is 1 / log2(place + 1),
--           patience^(place - 1), or 1
--           patience = 0.85 above 0 below 1: what is left of the weight from one place to the next,
--           where that is geometric
-- Undefined for a user without a list or, unless relevance is ignored, without a relevant item, who
--           is left out; where the history is empty
-- Aliases   expected_free_discovery
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history, truth if relevance=binary
{% macro shown__efd(relevance='binary', discount='logarithmic', patience=0.85) %}
{% set weight = sqlrec.place_weight(discount, patience) %}
{{ 'case when relevant_items > 0 then ' if relevance == 'binary' -}}
sum({{ weight }} * {{ 'hit * ' if relevance == 'binary' }}{{ sqlrec.log2('nullif(history_pairs, 0) / case when item_users > 1 then item_users else 1 end') }}) / sum({{ weight }})
{{- ' end' if relevance == 'binary' }}
{% endmacro %}
