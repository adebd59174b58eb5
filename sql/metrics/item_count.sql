-- Item count: the number of items in the lists, in the truth or in both, or the number of users, at
-- least 0.
--
--     sum over the users of  count
--
--     hits           relevant items within k
--     retrieved      length of the list within k
--     relevant       the user's relevant items
--     nonrelevant    items within k that are judged and not relevant
--     counted_users  1 for each user of the population
--     full_lists     1 for each user with k items in the list, or with @all for each with a list
--
-- The parameter `of` selects one of these counts. The value is the sum over users, or the mean with
-- per=user.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval num_ret, num_rel, num_rel_ret, num_nonrel_judged_ret and num_q; ir_measures
--           NumRet, NumRel, NumRelRet and NumQ; Elliot and WarpRec UserCoverageAtN with
--           of=full_lists, and NumRetrieved with of=retrieved and per=user
-- Differs   trec_eval -c -l: its sum of num_rel counts each grade above 0 as relevant
-- Params    of = hits | retrieved | relevant | nonrelevant | counted_users | full_lists: the count,
--           as above
--           per = all | user: the sum over users, or the mean over users
-- Undefined never; if there is nothing to count, the value is 0
-- Better    neither
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__item_count(of='hits', per='all') %}
{% if of == 'hits' %}
sum(hit)
{% elif of == 'nonrelevant' %}
sum(is_judged) - sum(hit)
{% elif of == 'counted_users' %}
max(cast(1 as double))
{% elif of == 'full_lists' %}
max(cast(case when list_length > 0 and list_length >= requested_length then 1 else 0 end as double))
{% else %}
{{ sqlrec.double('list_length' if of == 'retrieved' else 'relevant_items') }}
{% endif %}
{% endmacro %}
{% macro hits__item_count__summary(column, of='hits', per='all') %}
{{ 'sum(' ~ column ~ ')' if per == 'all' else sqlrec.mean(column) }}
{% endmacro %}
