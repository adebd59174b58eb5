-- EFD: the expected free discovery, or how rare the relevant items of the list are in the history,
-- in bits, weighted by rank, at least 0.
--
--      sum of  weight of the rank * relevance * log2( pairs of the history / users of the item )
--     -------------------------------------------------------------------------------------------
--                                sum of  weight of the rank
--
-- Sums are over the ranks of the list within k. A pair is a user and an item of the user's
-- history, counted once, so the probability of an item is its number of users divided by the number
-- of pairs. An item that is not in the history counts as if one user had it.
--
-- Source    Vargas & Castells 2011, doi.org/10.1145/2043932.2043955
-- Agrees    RankSys and Elliot EFD, if at least one item of the history has a single user, and
--           Elliot ExtendedEFD, where relevance=exponential is called discounted; recommenders
--           novelty with relevance=ignored and discount=none, for lists of equal length
-- Differs   RankSys and Elliot otherwise: an item without history counts as the rarest item of the
--           history; WarpRec, which divides by the users of the history instead of its pairs
-- Params    relevance = binary | exponential | ignored: relevant items count as 1 or 2^grade - 1,
--           and other items as 0; or all items count as 1
--           discount = logarithmic | geometric | none: the weight of a rank is 1 / log2(rank +
--           1), patience^(rank - 1), or 1
--           patience = 0.85 above 0 below 1: with discount=geometric, the ratio of the weights
--           of consecutive ranks
-- Undefined if the history is empty. Users without a list are excluded, and users without a
--           relevant item unless relevance=ignored
-- Aliases   expected_free_discovery
-- Better    higher
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history, truth if relevance=binary|exponential
{% macro recommended_items__efd(relevance='binary', discount='logarithmic', patience=0.85) %}
{% set weight = sqlrec.rank_weight(discount, patience) %}
{{ 'case when relevant_items > 0 then ' if relevance != 'ignored' -}}
sum({{ weight }} * {{ sqlrec.relevance_factor(relevance) }}log2(nullif(history_pairs, 0) / case when item_users > 1 then item_users else 1 end)) / sum({{ weight }})
{{- ' end' if relevance != 'ignored' }}
{% endmacro %}
