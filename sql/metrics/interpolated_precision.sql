-- Interpolated precision: the highest precision at the hit that reaches a given recall, or at any
-- later hit, from 0 to 1.
--
--     the largest of  (hits so far) / (rank)  over the hits within k that are number n or later
--
--     n  =  recall * relevant items, as a whole number
--
-- It is 0 if the list has fewer than n hits. With n = 0, it is the highest precision at any hit.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval; Manning et al. 2008, Introduction to
--           Information Retrieval, chapter 8.4, for rounding=up
-- Agrees    trec_eval 10 iprec_at_recall; with rounding=tenth trec_eval 9 and ir_measures IPrec;
--           ranx interpolated_precision_at_recall
-- Params    recall = 0.5 from 0 to 1: the share of the relevant items
--           rounding = nearest | up | tenth: how n becomes a whole number: the nearest, halves up;
--           rounded up, so that the recall is reached; or the whole part after 0.9 is added, where
--           floating-point errors show: 0.7 of 3 items, which is 2.1, gives 2
-- Undefined for a user without a relevant item
-- Aliases   iprec, iprec_at_recall
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__interpolated_precision(recall=0.5, rounding='nearest') %}
case
    when relevant_items > 0
    then max(
        case
            when hits_so_far >= {% if rounding == 'nearest' -%}
                floor({{ sqlrec.double(recall) }} * relevant_items + 0.5e0)
                {%- elif rounding == 'tenth' -%}
                floor({{ sqlrec.double(recall) }} * relevant_items + 0.9e0)
                {%- else -%}
                {{ sqlrec.double(recall) }} * relevant_items - 1e-9
                {%- endif %}
            then hit * hits_so_far / rank
            else 0
        end
    )
end
{% endmacro %}
