-- Unrepeated share: the share of lists that have no item twice, or the share of recommendations
-- within k that show an item for the first time, from 0 to 1.
--
--      lists without a repeated item                     different items within k
--     -------------------------------    with count=ranks -------------------------- , averaged over lists
--                  lists                                    ranks within k
--
-- Lists that repeat an item are rejected, so the value is 1; it is lower only with a convention
-- that counts repeated items.
--
-- Source    RecTools 0.19, github.com/MTSWebServices/RecTools
-- Agrees    RecTools UnrepeatedReco, with deep=True for count=ranks
-- Params    count = lists | ranks: lists, or ranks
-- Undefined for a user without a list, who is excluded
-- Aliases   unrepeated_reco
-- Better    higher
-- Family    coverage
-- Cutoff    a number, or all
-- Inputs    recs
{% macro recommended_items__unrepeated_share(count='lists') %}
{% if count == 'lists' %}
case when count(distinct item_id) = count(rank) then cast(1 as double) else cast(0 as double) end
{% else %}
cast(count(distinct item_id) as double) / list_length
{% endif %}
{% endmacro %}
