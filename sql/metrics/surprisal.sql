-- Surprisal: how rare the items are that a list shows, their mean self-information in bits, from 0
-- up.
--
--      sum over the places within k of  log2( users of the history / users who had the item )
--     ----------------------------------------------------------------------------------------
--                               places of the list within k
--
-- An item without history counts as if one user had had it. Who had an item more than once is one
-- user.
--
-- Source    Zhou et al. 2010, doi.org/10.1073/pnas.1000488107
-- Agrees    RecTools MeanInvUserFreq; rs_metrics surprisal; RePlay Surprisal with unit=share and
--           divide_by=k; recmetrics novelty with divide_by=k, which has no value for an item without
--           history
-- Params    unit = bits | share: bits, or the share of what an item that one user had is worth,
--           from 0 to 1
--           divide_by = list_length | k: the places of the list within k, or the cutoff
-- Undefined for a user without list, who is left out; where the history is empty; and as a share,
--           where it has one user
-- Aliases   miuf, mean_inverse_user_frequency, self_information
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history
{% macro shown__surprisal(unit='bits', divide_by='list_length') %}
{% set most = sqlrec.log2('nullif(history_users, 0)') %}
sum({{ sqlrec.log2('nullif(history_users, 0) / case when item_users > 1 then item_users else 1 end') }})
{%- if unit == 'share' %}
/ nullif({{ most }}, 0)
{%- endif %}
/ {{ divide_by }}
{% endmacro %}
