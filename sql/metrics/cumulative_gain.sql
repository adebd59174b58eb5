-- Cumulative gain: the sum of the gains of the items within k, at least 0.
--
--     sum of gain over the ranks within k
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418
-- Params    gain = linear | binary | exponential: the relevance, 1 for a relevant item, or
--           2^relevance - 1
-- Undefined never; without a list or a relevant item, the value is 0
-- Ties      expected, in closed form
-- Aliases   cg
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__cumulative_gain(gain='linear') %}
sum({{ sqlrec.gain(gain) }})
{% endmacro %}

{% macro expected__cumulative_gain(gain='linear') %}
sum({{ sqlrec.expected_gain(gain) }})
{% endmacro %}
