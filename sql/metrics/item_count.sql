-- Item count: how many items the lists hold, or truth, or both, from 0 up.
--
--     retrieved     places of the list within k
--     relevant      the user's relevant items
--     hits          relevant items within k
--     nonrelevant   items within k that are judged and not relevant
--
-- What is reported is the sum over users, not the mean.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval num_ret, num_rel, num_rel_ret and num_nonrel_judged_ret; ir_measures NumRet,
--           NumRel and NumRelRet
-- Differs   trec_eval -c -l, whose sum of num_rel takes each grade above 0 for relevant
-- Params    of = hits | retrieved | relevant | nonrelevant: which items are counted
-- Undefined never; nothing to count is 0
-- Better    neither
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__item_count(of='hits') %}
{% if of == 'hits' %}
sum(hit)
{% elif of == 'nonrelevant' %}
sum(is_judged) - sum(hit)
{% else %}
{{ sqlrec.double('list_length' if of == 'retrieved' else 'relevant_items') }}
{% endif %}
{% endmacro %}
{% macro hits__item_count__summary(column, of='hits') %}
sum({{ column }})
{% endmacro %}
