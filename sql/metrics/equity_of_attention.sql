-- Equity of attention: the difference between each item's share of attention and its share of
-- merit, summed over items, from 0 to 2. At 0, each item is shown in proportion to the number of
-- users to whom it is relevant.
--
--     sum of  |gets(i) - merits(i)|  over all items i
--
--     gets    the item's share of the sum of 1 / log2(rank + 1) over the ranks within k of all lists
--     merits  the item's share of the relevant items of all users with a list
--
-- Half of the value is the share of attention that would have to move to other items. Attention and
-- merit are added up over all users, so a high rank in one list can make up for a low rank in
-- another list.
--
-- Source    Biega, Gummadi & Weikum 2018, doi.org/10.1145/3209978.3210063: the unfairness of
--           amortized attention, with shares of attention and merit
-- Params    weight = rank | plain: 1 / log2(rank + 1), or 1 for each rank
-- Undefined if no user with a list has a relevant item
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth
{% macro item_exposure__equity_of_attention(weight='rank') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set apart = 'abs(coalesce(' ~ shown ~ ', 0) / total_' ~ shown ~ ' - coalesce(relevant_pairs, 0) / total_relevant_pairs)' %}
case when max(total_relevant_pairs) > 0 then {{ sqlrec.least('sum(' ~ apart ~ ')', 2) }} end
{% endmacro %}
