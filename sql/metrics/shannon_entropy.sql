-- Shannon entropy: how evenly exposure is distributed over the items, in bits, at least 0. Two to
-- the power of the entropy is the number of equally shown items that would have the same entropy.
--
--     sum of  -p(i) * log2 p(i),   p(i) = item i's share of all recommendations within k
--
-- Source    Shannon 1948, doi.org/10.1002/j.1538-7305.1948.tb01338.x; for recommendations Fleder &
--           Hosanagar 2009 and Shani & Gunawardana 2011, doi.org/10.1007/978-0-387-85820-3_8
-- Agrees    recommenders distributional_coverage; Elliot SEntropy if all lists have the same
--           length; RecBole ShannonEntropy with unit=nats and of=item
-- Params    weight = plain | rank: each rank counts as 1, or 1 / log2(rank + 1)
--           unit = bits | nats: the logarithm to base 2, or the natural one
--           of = items | item: the entropy, or the entropy divided by the number of items that at
--           least one list shows
-- Undefined if no user has a list
-- Aliases   entropy, distributional_coverage
-- Better    higher
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs
{% macro item_exposure__shannon_entropy(weight='plain', unit='bits', of='items') %}
{% set shown = 'exposure' if weight == 'rank' else 'lists' %}
{% set share = 'total_' ~ shown ~ ' / ' ~ shown %}
sum({{ shown }} / total_{{ shown }} * {{ sqlrec.log2(share) if unit == 'bits' else sqlrec.ln(share) }}){{ ' / count(' ~ shown ~ ')' if of == 'item' }}
{% endmacro %}
