-- Precision: the share of the first k ranks that have a relevant item, from 0 to 1.
--
--      hits within k
--     ---------------
--            k
--
-- Empty ranks of a list shorter than k count as misses, unless divide_by says otherwise.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    trec_eval P; ir_measures P; ranx precision with divide_by=k_or_length; RecTools
--           Precision; RePlay Precision; torchmetrics RetrievalPrecision with divide_by=k_or_known,
--           and with divide_by=known its adaptive_k=True and Evidently PrecisionTopK; recmetrics
--           recommender_precision, with divide_by=list_length and digits=four
-- Differs   LensKit, Jurity, rs_metrics and RePlay up to 0.10 divide by the length of a shorter
--           list
-- Params    divide_by = k | list_length | k_or_length | known | k_or_known: the cutoff; the ranks
--           of the list within k; the cutoff, or with @all the length of the list; the number of
--           items that are shown or relevant, at most k; or the cutoff, and with @all the number of
--           items that are shown or relevant
--           digits = all | four: full precision, or each user's value rounded to four decimals
--           unjudged = miss | hit: whether a shown item without a judgment is a miss or a hit; miss
--           gives the smallest possible precision, hit the largest
--           average = users | pooled: the mean over users, or the hits of all users divided by the
--           ranks of all users
-- Undefined never; without a list or a relevant item, the value is 0
-- Ties      expected, in closed form, except divide_by=known|k_or_known, digits=four and
--           unjudged=hit
-- Aliases   p
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__precision(divide_by='k', digits='all', unjudged='miss', average='users') %}
{% set hits = sqlrec.possible_hits() if unjudged == 'hit' else 'sum(hit)' %}
{% if divide_by == 'k' %}
{% set share = hits ~ ' / k' %}
{% else %}
{% set share = 'coalesce(' ~ hits ~ ' / nullif(' ~ sqlrec.precision_ranks(divide_by) ~ ', 0), 0)' %}
{% endif %}
{{ share if digits == 'all' else sqlrec.rounded(share, digits) }}
{% endmacro %}

{% macro hits__precision__weight(divide_by='k', digits='all', unjudged='miss', average='users') %}
{{ sqlrec.double('k' if divide_by == 'k' else sqlrec.precision_ranks(divide_by)) }}
{% endmacro %}

{% macro expected__precision(divide_by='k', digits='all', unjudged='miss', average='users') %}
{{ sqlrec.hits__precision(divide_by) }}
{% endmacro %}

{% macro expected__precision__weight(divide_by='k', digits='all', unjudged='miss', average='users') %}
{{ sqlrec.hits__precision__weight(divide_by) }}
{% endmacro %}
