-- Reciprocal rank: one divided by the rank of the first relevant item, from 0 to 1. Its mean over
-- users is known as MRR.
--
--     1 / (rank of the first hit), or 0 without a hit within k
--
-- With items=all, it is the mean of 1 / rank over all relevant items, for lists that have all of
-- them within k.
--
-- Source    Voorhees 1999, The TREC-8 Question Answering Track Report
-- Agrees    trec_eval recip_rank with @all; ir_measures RR; ranx mrr; RecTools MRR; RePlay MRR;
--           rexmex mean_reciprocal_rank with items=all
-- Differs   Cornac, which fails on a user without a hit
-- Params    items = first | all: the first relevant item, or all relevant items
-- Undefined never; without a list or a relevant item, the value is 0. With items=all, it is
--           undefined for a user without a relevant item, or with a relevant item missing within k
-- Ties      expected, in closed form, except items=all
-- Aliases   rr, mrr, mean_reciprocal_rank, recip_rank
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__reciprocal_rank(items='first') %}
{% if items == 'all' %}
case when sum(hit) = relevant_items then sum(hit / rank) / nullif(relevant_items, 0) end
{% else %}
max(hit / rank)
{% endif %}
{% endmacro %}

{% macro expected__reciprocal_rank(items='first') %}
sum(first_hit / rank)
{% endmacro %}
