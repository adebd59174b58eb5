-- Set utility: the sum of a price for each item, which depends on whether the item is shown and
-- relevant, unbounded.
--
--     hit * a  +  noise * b  +  miss * c  +  rest * d
--
--     a   relevant items within k
--     b   other items within k
--     c   relevant items that are not within k
--     d   other items of the collection that are not within k
--
-- With the default prices it is the number of hits minus the number of other items in the list.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval
-- Agrees    trec_eval utility with the parameters hit, noise, miss and rest, and -N as the
--           collection
-- Params    hit = 1 from -1000000 to 1000000: the price of a relevant item that is shown
--           noise = -1 from -1000000 to 1000000: the price of another item that is shown
--           miss = 0 from -1000000 to 1000000: the price of a relevant item that is not shown
--           rest = 0 from -1000000 to 1000000: the price of another item that is not shown
--           collection = 0 from 0 to 1000000000000: the number of items in the collection; only
--           rest needs it
-- Undefined never; without a list, no item is shown
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__set_utility(hit=1, noise=-1, miss=0, rest=0, collection=0) %}
{{ sqlrec.times(hit, 'sum(hit)') }} + {{ sqlrec.literal(noise) }} * (list_length - sum(hit))
{% if miss %}
+ {{ sqlrec.literal(miss) }} * (relevant_items - sum(hit))
{% endif %}
{% if rest %}
+ {{ sqlrec.literal(rest) }} * ({{ sqlrec.literal(collection) }} + sum(hit) - list_length - relevant_items)
{% endif %}
{% endmacro %}
