-- Precision: the share of the first k places that hold a relevant item, from 0 to 1.
--
--      hits within k
--     ---------------
--            k
--
-- Empty places of a list shorter than k count as misses, unless divide_by says otherwise.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    trec_eval P; ir_measures P; ranx precision with divide_by=k_or_length; RecTools
--           Precision; RePlay Precision; torchmetrics RetrievalPrecision, with divide_by=known its
--           adaptive_k=True
-- Differs   LensKit, Jurity, rs_metrics and RePlay to 0.10 divide by the length of a shorter list
-- Params    divide_by = k | list_length | k_or_length | known: the cutoff; the places of the list
--           within k; the cutoff, or with @all the places of the list; or the number of items that
--           are shown or relevant, at most k
-- Undefined never; without a list or a relevant item it is 0
-- Ties      expected, in closed form, but for divide_by=known
-- Aliases   p
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__precision(divide_by='k') %}
{% if divide_by == 'k' %}
sum(hit) / k
{% elif divide_by == 'known' %}
coalesce(sum(hit) / nullif({{ sqlrec.least(sqlrec.double('k'), sqlrec.double('list_length + relevant_items - sum(hit)')) }}, 0), 0)
{% else %}
coalesce(sum(hit) / nullif({{ 'asked_length' if divide_by == 'k_or_length' else 'list_length' }}, 0), 0)
{% endif %}
{% endmacro %}

{% macro expected__precision(divide_by='k') %}
{{ sqlrec.hits__precision(divide_by) }}
{% endmacro %}
