-- Surprisal: the mean self-information of the list's items in the history, in bits, at least 0.
--
--      sum over the ranks within k of  log2( users of the history / users who had the item )
--     ----------------------------------------------------------------------------------------
--                               length of the list within k
--
-- An item that is not in the history counts as if one user had it, unless without_history says
-- otherwise. A user who had an item more than once counts once, unless count=events.
--
-- Source    Zhou et al. 2010, doi.org/10.1073/pnas.1000488107
-- Agrees    RecTools MeanInvUserFreq; rs_metrics surprisal; RePlay Surprisal with unit=share and
--           divide_by=k; recmetrics novelty with divide_by=k, which has no value for an item
--           without history; recommenders novelty with count=events, without_history=zero,
--           average=pooled; Evidently Novelty with without_history=omit
-- Params    unit = bits | share: bits, or the share of the value of an item that one user had, from
--           0 to 1
--           divide_by = list_length | k: the length of the list within k, or the cutoff
--           count = users | events: the users who had the item, of all users of the history; or the
--           events of the item, of all events
--           without_history = once | zero | omit: an item without history counts as if one user had
--           it, or 0, or is excluded from the sum and the number of items
--           average = users | pooled: the mean of per-user values, or the mean over the ranks of
--           all users
-- Undefined for a user without a list, who is excluded, and with without_history=omit for a list
--           without an item of the history; if the history is empty; with unit=share also
--           for a history of a single user, or with count=events of a single event
-- Aliases   miuf, mean_inverse_user_frequency, self_information
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro recommended_items__surprisal(unit='bits', divide_by='list_length', count='users', without_history='once', average='users') %}
{% set whole = 'nullif(history_' ~ count ~ ', 0)' %}
{% set had = 'item_' ~ count %}
sum({{ sqlrec.log2(whole ~ ' / ' ~ sqlrec.history_count(had, 1 if without_history == 'once' else whole)) }})
{{ '/ nullif(' ~ sqlrec.log2(whole) ~ ', 0)' if unit == 'share' }}
/ {{ sqlrec.ranks_counted(divide_by, without_history) }}
{% endmacro %}

{% macro recommended_items__surprisal__weight(unit='bits', divide_by='list_length', count='users', without_history='once', average='users') %}
{{ sqlrec.double(sqlrec.ranks_counted(divide_by, without_history)) }}
{% endmacro %}
