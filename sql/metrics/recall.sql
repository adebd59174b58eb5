-- Recall: the share of the user's relevant items that are within k, from 0 to 1.
--
--        hits within k
--     --------------------
--        relevant items
--
-- With more than k relevant items, it cannot reach 1, unless divide_by says otherwise.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    trec_eval recall; ir_measures R; ranx recall; RecTools Recall; RePlay Recall; Spark
--           MLlib recallAt; LightFM recall_at_k; recmetrics recommender_recall, with digits=four
-- Differs   LensKit and BEIR's R_cap divide by at most k
-- Params    divide_by = relevant | achievable | achievable_in_list: the relevant items; the
--           relevant items, but at most k; or the relevant items, but at most as many as the list
--           has ranks within k
--           digits = all | four: full precision, or each user's value rounded to four decimals
--           average = users | pooled: the mean over users, or the hits of all users divided by the
--           sum of their divisors
-- Undefined for a user without a relevant item
-- Ties      expected, in closed form, except digits=four
-- Aliases   r
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__recall(divide_by='relevant', digits='all', average='users') %}
{% set items = {'relevant': 'relevant_items', 'achievable': 'least(k, relevant_items)'}.get(divide_by, 'least(list_length, relevant_items)') %}
{% set share = 'sum(hit) / nullif(' ~ items ~ ', 0)' %}
{% set share = share if divide_by in ['relevant', 'achievable'] else 'case when relevant_items > 0 then coalesce(' ~ share ~ ', 0) end' %}
{{ share if digits == 'all' else sqlrec.rounded(share, digits) }}
{% endmacro %}

{% macro hits__recall__weight(divide_by='relevant', digits='all', average='users') %}
{{ sqlrec.double('relevant_items' if divide_by == 'relevant' else sqlrec.least('k' if divide_by == 'achievable' else 'list_length', 'relevant_items')) }}
{% endmacro %}

-- Probabilities of hits at equal scores may add up to slightly more than 1, by rounding.
{% macro expected__recall(divide_by='relevant', digits='all', average='users') %}
{{ sqlrec.hits__recall(divide_by) | replace('sum(hit)', sqlrec.at_most('sum(hit)', 'relevant_items')) }}
{% endmacro %}

{% macro expected__recall__weight(divide_by='relevant', digits='all', average='users') %}
{{ sqlrec.hits__recall__weight(divide_by) }}
{% endmacro %}
