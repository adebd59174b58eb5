-- NCIS precision: the precision of a list that replaces the baseline's, with each rank weighted by
-- its score relative to the baseline's, from 0 to 1.
--
--      sum of the weights of the hits within k
--     -----------------------------------------     weight = score / score of the baseline
--       sum of the weights of the ranks
--
-- Weights are clipped: at most `clip`, and at least 1 / clip. An item without a score in the
-- baseline, or with a score of 0, has the weight `clip`; an item without a score in the list has 1
-- / clip. Scores should be probabilities, or at least positive. The baseline is the model that was
-- shown when the truth was collected; its scores count at all ranks.
--
-- Source    Gilotte et al. 2018, doi.org/10.1145/3159652.3159687
-- Agrees    RePlay NCISPrecision as documented; the code in replay.experimental 0.22 fails when
--           called
-- Differs   RePlay, where a user of the truth without a list counts as 0
-- Params    clip = 10 above 1 to 1000000000: the largest weight
-- Undefined for a user without a list or without a relevant item, who is excluded
-- Aliases   ncisprecision
-- Better    higher
-- Family    off-policy
-- Cutoff    a number, or all
-- Inputs    recs(score), truth, baseline(score)
{% macro recommended_items__ncis_precision(clip=10) %}
{% set ratio = 'score / nullif(baseline_score, 0)' %}
{% set weight %}
case
        when score is null or {{ ratio }} <= {{ sqlrec.double(1 / clip) }} then {{ sqlrec.double(1 / clip) }}
        when {{ ratio }} < {{ sqlrec.literal(clip) }} then {{ ratio }}
        else {{ sqlrec.literal(clip) }}
    end
{%- endset %}
case
    when relevant_items > 0
    then sum(hit * {{ weight | trim }}) / sum({{ weight | trim }})
end
{% endmacro %}
