-- Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1, from
-- 0 to 1.
--
--      interpolated precision at 0  +  at 0.1  +  ...  +  at 1
--     ---------------------------------------------------------
--                               11
--
-- Source    Manning et al. 2008, Introduction to Information Retrieval, chapter 8.4
-- Agrees    trec_eval 10 11pt_avg; with rounding=tenth trec_eval 9 and with it pytrec_eval
-- Params    rounding = nearest | up | tenth: which hit reaches a recall, as in interpolated_precision
-- Undefined for a user without relevant item
-- Aliases   eleven_point_ap, 11pt, 11pt_avg
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__eleven_point_average_precision(rounding='nearest') %}
case
    when relevant_items > 0
    then (
        {%- for tenth in range(11) %}
        {{ '+ ' if not loop.first }}{{ sqlrec.precision_from(tenth / 10, rounding) | indent(8) }}
        {%- endfor %}
    ) / 11
end
{% endmacro %}
