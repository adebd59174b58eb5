-- Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1,
-- from 0 to 1.
--
--      interpolated precision at 0  +  at 0.1  +  ...  +  at 1
--     ---------------------------------------------------------
--                               11
--
-- Source    Manning et al. 2008, Introduction to Information Retrieval, chapter 8.4
-- Agrees    trec_eval 10 11pt_avg; with rounding=tenth trec_eval 9 and pytrec_eval
-- Params    rounding = nearest | up | tenth: which hit reaches a recall, as in
--           interpolated_precision
-- Undefined for a user without a relevant item
-- Aliases   eleven_point_ap, 11pt, 11pt_avg
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__eleven_point_average_precision(rounding='nearest') %}
{# The best precision at a hit or later is the sum of leads at it and later, so a lead counts once for each recall
   that its hit reaches. Tenths below the last are clearly reached; the last is compared as a
   double. #}
{% set last = sqlrec.least(10, 'floor((10 * hits_so_far + ' ~ {'nearest': 5, 'tenth': 1, 'up': 0}[rounding] ~ ') / nullif(relevant_items, 0))') %}
{% set sums %}
sum(
        precision_lead * (
            {{ last }} + {% if rounding == 'up' %}1
            {% else %}case when {{ last }} / cast(10 as double) * relevant_items + {{ sqlrec.double(0.5 if rounding == 'nearest' else 0.9) }} < hits_so_far + 1 then 1 else 0 end
            {% endif %}
        )
    )
{% endset %}
case
    when relevant_items > 0
    then {{ sqlrec.share_of(sums | trim, 11) }}
end
{% endmacro %}
