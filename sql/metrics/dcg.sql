-- DCG: the sum of the gains of the items within k, discounted by rank, at least 0.
--
--     sum of  gain / log2(rank + 1)  over the ranks within k
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418, with the discount of Burges
--           et al. 2005, doi.org/10.1145/1102351.1102363, which all libraries but LensKit use
-- Agrees    ranx dcg; ir_measures nDCG before it is divided
-- Differs   discount=late: LensKit and the paper of 2002
-- Params    gain = linear | binary | exponential: the relevance, 1 for a relevant item, or
--           2^relevance - 1
--           discount = standard | late | reciprocal: 1 / log2(rank + 1); 1 / log2(rank), and 1 for
--           the first two ranks; or 1 / rank
-- Undefined never; without a list or a relevant item, the value is 0
-- Ties      expected, in closed form
-- Aliases   discounted_cumulative_gain
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__dcg(gain='linear', discount='standard') %}
sum({{ sqlrec.discounted(sqlrec.gain(gain), discount) }})
{% endmacro %}

{% macro expected__dcg(gain='linear', discount='standard') %}
sum({{ sqlrec.discounted(sqlrec.expected_gain(gain), discount) }})
{% endmacro %}
