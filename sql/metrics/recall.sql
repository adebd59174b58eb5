-- Recall: the share of the user's relevant items that are within k, from 0 to 1.
--
--        hits within k
--     --------------------
--        relevant items
--
-- With more than k relevant items it cannot reach 1, unless divide_by says otherwise.
--
-- Source    van Rijsbergen 1979, Information Retrieval, chapter 7
-- Agrees    trec_eval recall; ir_measures R; ranx recall; RecTools Recall; RePlay Recall;
--           Spark MLlib recallAt; LightFM recall_at_k; recmetrics recommender_recall, with digits=four
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
{{ sqlrec.rounded(sqlrec.found_share('sum(hit)', divide_by) | trim, digits) }}
{% endmacro %}

{% macro hits__recall__weight(divide_by='relevant', digits='all', average='users') %}
{% if average == 'pooled' %}
{{ sqlrec.double('relevant_items' if divide_by == 'relevant' else sqlrec.least('k' if divide_by == 'achievable' else 'list_length', 'relevant_items')) }}
{% endif %}
{% endmacro %}

-- Probabilities of hits at equal scores may add up to slightly more than 1, by rounding.
{% macro expected__recall(divide_by='relevant', digits='all', average='users') %}
{{ sqlrec.found_share(sqlrec.at_most('sum(hit)', 'relevant_items'), divide_by) }}
{% endmacro %}

{% macro expected__recall__weight(divide_by='relevant', digits='all', average='users') %}
{{ sqlrec.hits__recall__weight(divide_by, average=average) }}
{% endmacro %}

{% macro found_share(hits, divide_by) %}
{% if divide_by == 'relevant' %}
{{ hits }} / nullif(relevant_items, 0)
{% elif divide_by == 'achievable' %}
{{ hits }} / nullif(least(k, relevant_items), 0)
{% else %}
case
    when relevant_items > 0
    then coalesce({{ hits }} / nullif(least(list_length, relevant_items), 0), 0)
end
{% endif %}
{% endmacro %}
