-- DCG: what the items within k are worth together, less the further down they stand, from 0 up.
--
--     sum of  gain / log2(place + 1)  over the places within k
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418, with the discount of
--           Burges et al. 2005, doi.org/10.1145/1102351.1102363, which all libraries but LensKit use
-- Agrees    ranx dcg; ir_measures nDCG before it is divided
-- Differs   LensKit and the paper, whose discount starts at the second place
-- Params    gain = linear | binary | exponential: the relevance, 1 for a relevant item, or
--           2^relevance - 1
-- Undefined never; without list or relevant item it is 0
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro judged__dcg(gain='linear') %}
sum({{ sqlrec.gain(gain) }} * discount)
{% endmacro %}
