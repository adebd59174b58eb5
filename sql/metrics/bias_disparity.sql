-- Bias disparity: the relative change of the bias toward a group of items, from the users' history
-- to the lists, at least -1. At 0, the group has the same share of the history and of the lists.
--
--      bias of the lists - bias of the history              share of the group in the ranks within k
--     ----------------------------------------- ,  bias = --------------------------------------------
--              bias of the history                            share of the group in all items
--
-- For the history, shares count pairs of a user and an item, not ranks. A bias of 1 means the share
-- that random choice would give. Items without a group count in the divisors. Both shares are
-- computed over the users with a list; with by=gender, separately for the users of each gender.
--
-- Source    Tsintzou, Pitoura & Tsaparas 2019, arxiv.org/abs/1811.01461
-- Agrees    Elliot BiasDisparityBD, BiasDisparityBR with of=recs, and BiasDisparityBS with
--           of=history, if all users have a list and each item has one group
-- Params    group = text: the group, as in the column item_group of items
--           of = change | recs | history: the relative change of the bias; the bias of the lists;
--           or the bias of the history
-- Undefined if items does not contain the group, or no user has a list; with of=change, also if the
--           group is not in the history of these users, and with of=history, if these users have no
--           history
-- Better    neither
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, items(item_group), history if of=change|history
{% macro group_exposure__bias_disparity(group='text', of='change') %}
{% set own = 'case when ' ~ sqlrec.string('item_group') ~ " = '" ~ group ~ "' then " %}
{% set of_history = 'sum(' ~ own ~ 'seen_by end) / nullif(max(total_seen_by), 0)' %}
{% set share = of_history if of == 'history' else 'sum(' ~ own ~ 'lists end) / max(total_lists)' %}
{% if of == 'change' %}
{{ share }} / nullif({{ of_history }}, 0) - 1
{% else %}
{{ share }} / sum({{ own }}members / stock_items end)
{% endif %}
{% endmacro %}
