-- Shannon entropy: how evenly the lists are shared out among the items, in bits, from 0 up. 2 to
-- the power of it is the number of items that, shown alike, would share the lists as evenly.
--
--     sum of  -p(i) * log2 p(i),   p(i) = item i's share of all places within k
--
-- Source    Shannon 1948, doi.org/10.1002/j.1538-7305.1948.tb01338.x; for recommendations Fleder &
--           Hosanagar 2009 and Shani & Gunawardana 2011, doi.org/10.1007/978-0-387-85820-3_8
-- Agrees    recommenders distributional_coverage; Elliot SEntropy where all lists have the same length
-- Differs   RecBole ShannonEntropy, in nats and divided by the number of items shown
-- Params    weight = plain | rank: places count alike, or 1 / log2(place + 1)
-- Undefined where nobody has a list
-- Aliases   entropy, distributional_coverage
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs
{% macro exposed__shannon_entropy(weight='plain') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
sum({{ shown }} / total_{{ shown }} * {{ sqlrec.log2('total_' ~ shown ~ ' / ' ~ shown) }})
{% endmacro %}
