-- Herfindahl index: how strongly all recommendations are concentrated on a few items, from 0 to 1.
-- Its inverse is the number of equally shown items that would have the same value.
--
--     sum of  p(i)^2,   p(i) = item i's share of all recommendations within k
--
-- The smallest value, 1/n, is reached if n items are shown equally often.
--
-- Source    Herfindahl 1950; Hirschman 1945
-- Differs   Adomavicius & Kwon 2012, doi.org/10.1109/TKDE.2011.15: Herfindahl diversity is 1
--           minus this
-- Params    weight = plain | rank: each rank counts as 1, or 1 / log2(rank + 1)
-- Undefined if no user has a list
-- Aliases   hhi, herfindahl_hirschman
-- Better    lower
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs
{% macro item_exposure__herfindahl(weight='plain') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
sum({{ shown }} / total_{{ shown }} * {{ shown }} / total_{{ shown }})
{% endmacro %}
