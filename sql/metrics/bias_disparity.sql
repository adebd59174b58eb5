-- Bias disparity: how much more or less of the lists goes to a group of items than of the users'
-- history, from -1 up. At 0 both give it the same share.
--
--      bias of the lists - bias of the history              share of the group in the places within k
--     ----------------------------------------- ,  bias = --------------------------------------------
--              bias of the history                            share of the group in all items
--
-- For the history, the share in the pairs of a user and an item stands in place of that in places. A
-- bias of 1 is the share of a random choice. All shares are of items that have a group, and both
-- sides are of the users with a list: with by=gender, those of a gender.
--
-- Source    Tsintzou, Pitoura & Tsaparas 2019, arxiv.org/abs/1811.01461
-- Agrees    Elliot BiasDisparityBD, BiasDisparityBR with of=recs, and BiasDisparityBS with of=history,
--           where all users have a list
-- Params    group = text: the group, as the column item_group of items spells it
--           of = change | recs | history: the relative change of the bias; the bias of the lists; or
--           that of the history
-- Undefined where items does not have the group, no user has a list, or no place or pair that counts
--           has an item with a group; with of=change, where the history does not have the group
-- Better    neither
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, items(item_group), history if of=change, history if of=history
{% macro grouped__bias_disparity(group='text', of='change') %}
{% set own = 'case when ' ~ sqlrec.string('item_group') ~ " = '" ~ group ~ "' then " %}
{% set shares = {} %}
{% for name in ['lists', 'seen_by'] %}
{% set _ = shares.update({name: 'sum(' ~ own ~ name ~ ' end)
/ nullif(max(total_' ~ name ~ ') - coalesce(sum(case when item_group is null then ' ~ name ~ ' end), 0), 0)'}) %}
{% endfor %}
{% if of == 'change' %}
{{ shares.lists }}
/ nullif({{ shares.seen_by }}, 0) - 1
{% else %}
{{ shares.lists if of == 'recs' else shares.seen_by }}
/ sum({{ own }}members / grouped_members end)
{% endif %}
{% endmacro %}
