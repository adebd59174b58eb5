-- List fill: the share of the lists that have k items, or the share of the k ranks that have an
-- item, from 0 to 1.
--
--      lists with k items                     length of the list within k
--     ---------------------    with of=ranks ----------------------------- , averaged over lists
--            lists                                         k
--
-- A user without a list does not count; user_coverage counts such users.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools SufficientReco, with deep=True for of=ranks
-- Params    of = lists | ranks: the count: lists with k items, or ranks that have an item
-- Undefined for a user without a list, who is excluded
-- Aliases   sufficient_reco
-- Better    higher
-- Family    coverage
-- Cutoff    a number
-- Inputs    recs
{% macro recommended_items__list_fill(of='lists') %}
{% if of == 'lists' %}
max(case when list_length >= k then cast(1 as double) else cast(0 as double) end)
{% else %}
cast(count(rank) as double) / k
{% endif %}
{% endmacro %}
