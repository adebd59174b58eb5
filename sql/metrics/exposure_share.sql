-- Exposure share: the share of the exposure in all lists that goes to the items of a group, from 0
-- to 1.
--
--      sum of  1 / log2(rank + 1)  over the ranks within k that have an item of the group
--     --------------------------------------------------------------------------------------
--                          the same sum over all ranks within k
--
-- Items without a group count in the divisor. An item of several groups counts in each, so the
-- shares of all groups can add up to more than 1.
--
-- Source    Singh & Joachims 2018, doi.org/10.1145/3219819.3220088, as the exposure of a group; Raj
--           & Ekstrand 2022, doi.org/10.1145/3477495.3532018, compare metrics based on it
-- Params    group = text: the group, as in the column item_group of items
--           weight = rank | plain: 1 / log2(rank + 1), or 1 for each rank
-- Undefined if items does not contain the group, or no user has a list
-- Better    neither
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, items(item_group)
{% macro group_exposure__exposure_share(group='text', weight='rank') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set share = 'sum(case when ' ~ sqlrec.string('item_group') ~ " = '" ~ group ~ "' then " ~ shown ~ ' / total_' ~ shown ~ ' end)' %}
{#- Shares of all items may add up to more than 1, in the last digit. #}
case when {{ share }} > 1 then 1 else {{ share }} end
{% endmacro %}
