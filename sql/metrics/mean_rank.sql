-- Mean rank: the mean rank of the user's relevant items, at least 1. It is common in link
-- prediction for knowledge graphs: each list ranks all candidates.
--
--      sum of the ranks of the relevant items
--     -----------------------------------------
--                  relevant items
--
-- A list that lacks a relevant item within k has no value, because the item's rank is not known;
-- percentile_rank assumes a rank for it.
--
-- Source    Bordes et al. 2013, Translating Embeddings for Modeling Multi-relational Data
-- Agrees    rexmex mean_rank, and with average=geometric gmean_rank
-- Params    average = arithmetic | geometric: the kind of mean over the ranks of a user's items
-- Undefined for a user without a relevant item, or with a relevant item missing within k, who is
--           excluded
-- Better    lower
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__mean_rank(average='arithmetic') %}
{% set ranks = 'sum(hit * ln(rank))' if average == 'geometric' else 'sum(hit * rank)' %}
{% set mean = ranks ~ ' / nullif(relevant_items, 0)' %}
case when sum(hit) = relevant_items then {{ 'exp(' ~ mean ~ ')' if average == 'geometric' else mean }} end
{% endmacro %}
