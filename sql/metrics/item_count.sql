-- Item count: how many items are in the lists, in the truth or in both, or how many users are
-- counted, from 0 up.
--
--     sum over the users of  count
--
--     hits           relevant items within k
--     retrieved      places of the list within k
--     relevant       the user's relevant items
--     nonrelevant    items within k that are judged and not relevant
--     counted_users  1 for each user of the population
--
-- The parameter `of` says which of these is the count. The value is the sum over users, not the
-- mean.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval num_ret, num_rel, num_rel_ret, num_nonrel_judged_ret and num_q; ir_measures
--           NumRet, NumRel, NumRelRet and NumQ
-- Differs   trec_eval -c -l, whose sum of num_rel counts each grade above 0 as relevant
-- Params    of = hits | retrieved | relevant | nonrelevant | counted_users: what is counted, as
--           above
-- Undefined never; where there is nothing to count it is 0
-- Better    neither
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__item_count(of='hits') %}
{% if of == 'hits' %}
sum(hit)
{% elif of == 'nonrelevant' %}
sum(is_judged) - sum(hit)
{% elif of == 'counted_users' %}
max({{ sqlrec.double(1) }})
{% else %}
{{ sqlrec.double('list_length' if of == 'retrieved' else 'relevant_items') }}
{% endif %}
{% endmacro %}
{% macro hits__item_count__summary(column, of='hits') %}
sum({{ column }})
{% endmacro %}
