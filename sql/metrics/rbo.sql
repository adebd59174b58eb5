-- RBO: rank-biased overlap: how much two lists for the same user agree, with more weight on the first
-- places, from 0 to 1.
--
--      (1 - p) * sum over the depths d of  p^(d - 1) * (items of both within d) / d
--
-- Both lists are cut at k; the other is the baseline's. Weights never end and lists do, so form says
-- what is beyond: extrapolated takes the agreement at the end to go on, minimum takes nothing more
-- to be in both, truncated leaves out what is beyond, and scaled goes down to k, with nothing more in
-- both, and divides by the weights so far. rbo_residual is how far it may lie above the minimum. With
-- p = 0.9 the first 10 depths have 86 % of the weight. Where the baseline has no list for the user,
-- this is 0, unless without_baseline says otherwise.
--
-- Source    Webber, Moffat & Zobel 2010, doi.org/10.1145/1852102.1852106: equations 32, 11 and 4
-- Agrees    rbo 0.1.3 rbo_ext; its rbo with form=truncated, for lists of one length; LensKit
--           rank_biased_overlap with p=0.85, form=scaled
-- Differs   rbo 0.1.3 rbo, which stops at the end of the shorter list; dlukes/rbo, whose agreement
--           and minimum are others for lists of two lengths
-- Params    p = 0.9 above 0 below 1: the probability of going on from one depth to the next
--           form = extrapolated | minimum | truncated | scaled: what is taken to be beyond the lists
--           without_baseline = zero | undefined: what a user has for whom the baseline has no list
-- Undefined for a user without a list, who is left out; without a list of the baseline's if asked for
-- Aliases   rank_biased_overlap
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro overlapped__rbo(p=0.9, form='extrapolated', without_baseline='zero') %}
{% set weight = 'weight_' ~ sqlrec.in_name(p) %}
{{ 'case when baseline_length > 0 then' if without_baseline == 'undefined' }}
{% if form == 'minimum' %}
{% set weight_before = 'sum(case when depth <= longer then ' ~ weight ~ ' else 0 end)' %}
{{ sqlrec.double((1 - p) / p) }} * (sum(overlap * {{ weight }}) + common * {{ sqlrec.weight_from(p, 'longer + 1', weight_before) }})
{% elif form == 'truncated' %}
{{ sqlrec.double((1 - p) / p) }} * sum(overlap * {{ weight }})
{% elif form == 'scaled' %}
{{ sqlrec.double((1 - p) / p) }} * sum(coalesce(overlap, common) * {{ weight }}) / (1 - {{ sqlrec.fading(p, 'deepest') }})
{% else %}
{% set agreement = 'coalesce(shorter_common / nullif(shorter, 0), 0)' %}
{{ sqlrec.double((1 - p) / p) }} * sum(
    (overlap + {{ agreement }} * {{ sqlrec.greatest('depth - shorter', 0) }}) * {{ weight }}
)
+ ((common - shorter_common) / longer + {{ agreement }}) * {{ sqlrec.fading(p, 'longer') }}
{% endif %}
{{ 'end' if without_baseline == 'undefined' }}
{% endmacro %}
