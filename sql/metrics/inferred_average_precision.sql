-- Inferred average precision: average precision if only a sample of the pool was judged, from 0
-- to 1.
--
--         sum over the hits within k of  1 / i + pooled / i * (hits + e) / (judged + 2 * e)
--     ----------------------------------------------------------------------------------------
--                                      relevant items
--
-- i is the rank of the hit, and the other counts refer to the ranks above it: hits, judged items,
-- and items of the pool, which are all items in the truth, judged or not; e is 0.00001. A grade
-- below 0 marks an item of the pool that was not judged, unless the grade counts as relevant. If
-- the whole pool is judged, the value is average precision up to e.
--
-- Source    Yilmaz & Aslam 2006, doi.org/10.1145/1183614.1183633
-- Agrees    trec_eval infAP; ir_measures infAP
-- Undefined for a user without a relevant item
-- Aliases   infap, inf_ap
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__inferred_average_precision() %}
{% set e = '1e-5' %}
sum(
    case
        when hit > 0
        then (
            1 + (named_so_far - 1) * (hits_so_far - 1 + {{ e }}) / (judged_so_far - 1 + 2 * {{ e }})
        ) / rank
        else cast(0 as double)
    end
) / nullif(relevant_items, 0)
{% endmacro %}
