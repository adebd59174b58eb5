-- $title: its meaning, and its range. Lists show the first paragraph.
--
--     hits within k / k
--
-- Source    who defined it, and where
-- Undefined never; without a list it is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro hits__$name() %}
sum(hit) / k
{% endmacro %}
