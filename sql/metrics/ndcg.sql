-- NDCG: the DCG of a list divided by the DCG of the best list of the user's own items, from 0 to 1.
--
--      sum of  gain / log2(rank + 1)  over the ranks within k
--     ----------------------------------------------------------
--      the same sum for the user's items from best to worst
--
-- With ideal=k, it can exceed 1 if a gain exceeds ideal_gain.
--
-- Source    Jarvelin & Kekalainen 2002, doi.org/10.1145/582415.582418, with the discount of Burges
--           et al. 2005, doi.org/10.1145/1102351.1102363, which all libraries but LensKit use
-- Agrees    trec_eval ndcg_cut, and ndcg with @all; ir_measures nDCG, and SDCG with ideal=k and its
--           max_rel as ideal_gain; ranx ndcg, and ndcg_burges with gain=exponential, and their
--           variants with -l2 with gains=relevant; RecTools NDCG(divide_by_achievable=True); BEIR
--           and MTEB; RePlay and Spark MLlib with gain=binary; XGBoost and LightGBM with
--           gain=exponential; with gain=exponential and gains=relevant Elliot nDCG for a relevance
--           threshold of 1, and with shift=1 for a threshold of 0, and WarpRec nDCG
-- Differs   ideal=k: RecTools by default; ideal=relevant: Jurity; ideal=list_length: rs_metrics 0.3
--           and most SQL in circulation; discount=late: LensKit and the paper of 2002;
--           discount=reciprocal: Cornac NCRR
-- Params    gain = linear | binary | exponential: the relevance, 1 for a relevant item, or
--           2^relevance - 1
--           gains = all | relevant: all items with a grade gain, or only items that
--           relevance_threshold makes relevant
--           ideal = achievable | relevant | list_length | k: the best list has at most k of the
--           user's items; all of the user's items; at most as many as the list shows; or k items
--           that gain ideal_gain
--           ideal_gain = 1 above 0 to 1000: with ideal=k, the gain of each of the k items
--           discount = standard | late | reciprocal: 1 / log2(rank + 1); 1 / log2(rank), and 1 for
--           the first two ranks; or 1 / rank
--           shift = 0 from 0 to 10: with gain=exponential and gains=relevant, the number that is
--           added to the relevance: a gain is 2^(relevance + shift) - 1
--           digits = all | five: full precision, or each user's value rounded to five decimals, as
--           gdeval.pl prints it
-- Undefined for a user without a gain in the best list, unless ideal is k
-- Ties      expected, in closed form, except digits=five and gains=relevant
-- Aliases   normalized_discounted_cumulative_gain
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__ndcg(gain='linear', gains='all', ideal='achievable', ideal_gain=1, discount='standard', shift=0, digits='all') %}
{% set gain = 'kept_' ~ gain if gains == 'relevant' and gain != 'binary' else gain %}
{% set worth, best = sqlrec.gain(gain) | trim, sqlrec.scaled_ideal(gain, ideal, ideal_gain, discount) | trim %}
{#- 2^(relevance + shift) - 1 is 2^shift * (2^relevance - 1) + 2^shift - 1, and likewise for sums. #}
{% if shift and gain == 'kept_exponential' %}
{% set factor, rest = sqlrec.double(2 ** shift), sqlrec.double(2 ** shift - 1) %}
{% set worth = '(' ~ factor ~ ' * ' ~ worth ~ ' + ' ~ rest ~ ' * hit)' %}
{% if ideal != 'k' %}
{% set whole = sqlrec.scaled_ideal('binary', ideal, ideal_gain, discount) | trim %}
{% set best = '(' ~ factor ~ ' * coalesce(' ~ best ~ ', 0) + ' ~ rest ~ ' * ' ~ whole ~ ')' %}
{% endif %}
{% endif %}
{% set dcg = 'sum(' ~ sqlrec.discounted(worth, discount) ~ ')' %}
{% set is_share = ideal != 'k' or gain == 'binary' and ideal_gain >= 1 %}
{% set value = sqlrec.share_of(dcg, best) if is_share else dcg ~ ' / ' ~ best %}
{{ value if digits == 'all' else sqlrec.rounded(value, digits) }}
{% endmacro %}

{% macro expected__ndcg(gain='linear', gains='all', ideal='achievable', ideal_gain=1, discount='standard', shift=0, digits='all') %}
{% set dcg = 'sum(' ~ sqlrec.discounted(sqlrec.expected_gain(gain), discount) ~ ')' %}
{% set best = sqlrec.scaled_ideal(gain, ideal, ideal_gain, discount) | trim %}
{% set is_share = ideal != 'k' or gain == 'binary' and ideal_gain >= 1 %}
{{ sqlrec.share_of(dcg, best) if is_share else dcg ~ ' / ' ~ best }}
{% endmacro %}
