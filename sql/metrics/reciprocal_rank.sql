-- Reciprocal rank: one divided by the place of the first relevant item, from 0 to 1. Its mean over
-- users is known as MRR.
--
--     1 / (place of the first hit), or 0 without a hit within k
--
-- Source    Voorhees 1999, The TREC-8 Question Answering Track Report
-- Agrees    trec_eval recip_rank with @all; ir_measures RR; ranx mrr; RecTools MRR; RePlay MRR
-- Differs   Cornac, which fails on a user without a hit
-- Undefined never; without a list or a relevant item it is 0
-- Ties      expected, in closed form
-- Aliases   rr, mrr
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__reciprocal_rank() %}
max(hit / rank)
{% endmacro %}

{% macro expected__reciprocal_rank() %}
sum(first_hit / rank)
{% endmacro %}
