-- RBO: the rank-biased overlap, or how similar two lists for the same user are, with more weight on
-- the first ranks, from 0 to 1.
--
--      (1 - p) * sum over the depths d of  p^(d - 1) * (items of both within d) / d
--
-- The other list is the baseline's, and both are cut at k. The sum is infinite and lists are
-- finite, so `form` defines the items past their ends: extrapolated continues the agreement at the
-- end; minimum assumes no more common items; truncated omits deeper depths; scaled goes down to k,
-- without more common items, and divides by the sum of the weights down to k. rbo_residual is how
-- far the value may be above the minimum. With p = 0.9 the first 10 depths have 86% of the weight.
-- If the baseline has no list for the user, the value is 0, unless without_baseline says otherwise.
--
-- Source    Webber, Moffat & Zobel 2010, doi.org/10.1145/1852102.1852106: equations 32, 11 and 4
-- Agrees    rbo 0.1.3 rbo_ext; its rbo with form=truncated, for lists of equal length; LensKit
--           rank_biased_overlap with p=0.85, form=scaled
-- Differs   rbo 0.1.3 rbo for other lists: it stops at the end of the shorter list; dlukes/rbo: its
--           agreement and minimum differ for lists of unequal length
-- Params    p = 0.9 above 0 below 1: the probability of continuing from one depth to the next
--           form = extrapolated | minimum | truncated | scaled: the assumption about items past
--           the ends of the lists
--           without_baseline = zero | undefined: the value if the baseline has no list for the
--           user: 0 or undefined
-- Undefined for a user without a list, who is excluded; with without_baseline=undefined also for a
--           user without a list from the baseline
-- Aliases   rank_biased_overlap
-- Better    neither
-- Family    overlap
-- Cutoff    a number, or all
-- Inputs    recs, baseline
{% macro list_overlap__rbo(p=0.9, form='extrapolated', without_baseline='zero') %}
{% set weight = 'weight_' ~ sqlrec.in_name(p) %}
{% set value %}
{% if form == 'minimum' %}
{% set weight_before = 'sum(case when depth <= longer then ' ~ weight ~ ' else 0 end)' %}
(1 - {{ sqlrec.double(p | float) }}) / {{ sqlrec.double(p | float) }} * (sum(overlap * {{ weight }}) + common * {{ sqlrec.weight_from(p, 'longer + 1', weight_before) }})
{% elif form == 'truncated' %}
(1 - {{ sqlrec.double(p | float) }}) / {{ sqlrec.double(p | float) }} * sum(overlap * {{ weight }})
{% elif form == 'scaled' %}
(1 - {{ sqlrec.double(p | float) }}) / {{ sqlrec.double(p | float) }} * sum(coalesce(overlap, common) * {{ weight }}) / (1 - {{ sqlrec.power_of_fraction(p, 'deepest') }})
{% else %}
{% set agreement = 'coalesce(shorter_common / nullif(shorter, 0), 0)' %}
(1 - {{ sqlrec.double(p | float) }}) / {{ sqlrec.double(p | float) }} * sum(
    (overlap + {{ agreement }} * greatest(depth - shorter, 0)) * {{ weight }}
)
+ ((common - shorter_common) / longer + {{ agreement }}) * {{ sqlrec.power_of_fraction(p, 'longer') }}
{% endif %}
{% endset %}
{% set value = sqlrec.at_most(value | trim, 1) %}
{{ 'case when baseline_length > 0 then ' ~ value ~ ' end' if without_baseline == 'undefined' else value }}
{% endmacro %}
