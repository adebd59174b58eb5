-- EPC: the expected popularity complement, or how little known the relevant items of the list are,
-- as the share of users who have not had them, weighted by rank, from 0 to 1.
--
--      sum of  weight of the rank * relevance * (1 - share of users who had the item)
--     ---------------------------------------------------------------------------------
--                         sum of  weight of the rank
--
-- Sums are over the ranks of the list within k. An item that is not in the history counts as if no
-- user had it, or with without_history=once, as if one user had it.
--
-- Source    Vargas & Castells 2011, doi.org/10.1145/2043932.2043955
-- Agrees    RankSys EPC; Elliot EPC and ExtendedEPC, where relevance=exponential is called
--           discounted; WarpRec EPC with without_history=once, for lists of k items
-- Params    relevance = binary | exponential | ignored: relevant items count as 1 or 2^grade - 1,
--           and other items as 0; or all items count as 1
--           discount = logarithmic | geometric | none: the weight of a rank is 1 / log2(rank +
--           1), patience^(rank - 1), or 1
--           patience = 0.85 above 0 below 1: with discount=geometric, the weight of a rank divided
--           by the weight of the rank above
--           without_history = never | once: an item without history counts as if no user, or one
--           user, had it
-- Undefined if the history is empty. Users without a list are excluded, and users without a
--           relevant item unless relevance=ignored
-- Aliases   expected_popularity_complement
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history, truth if relevance=binary|exponential
{% macro recommended_items__epc(relevance='binary', discount='logarithmic', patience=0.85, without_history='never') %}
{% set weight = sqlrec.rank_weight(discount, patience) %}
{{ 'case when relevant_items > 0 then ' if relevance != 'ignored' -}}
sum({{ weight }} * {{ sqlrec.relevance_factor(relevance) }}(1 - {{ 'item_users' if without_history == 'never' else sqlrec.history_count('item_users', 'cast(1 as double)') }} / nullif(history_users, 0))) / sum({{ weight }})
{{- ' end' if relevance != 'ignored' }}
{% endmacro %}
