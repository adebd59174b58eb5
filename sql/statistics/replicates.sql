-- Bootstrap means over resampled users. One row per model, segment, metric, cutoff and block of
-- four replicates.
--
--   block, replicate_1, ..., replicate_4   the means of replicates 4 * block - 3 to 4 * block
--   violations                             not 0 if rows break a rule
--
-- The weight of a user in a replicate is a Poisson variable with mean 1, computed from a hash of
-- the user's id and the block. So weights are equal on all engines, in any order of rows, and for
-- all models and metrics. If users belong to groups, groups are resampled.
--
-- Source    Hanley & MacGibbon 2006, doi.org/10.1016/j.cmpb.2006.04.006; Chamandy et al. 2012, Estimating
--           Uncertainty for Massive Data Streams
--
-- SQLite has no hash function and sorts slowly, so DuckDB resamples the values that SQLite
-- computes.
--
-- The plan has additional entries: blocks, the number of blocks; baseline_model, a string constant or none, for the
-- means of the differences from it; cluster, the segment that names groups, or none; found, the
-- name of a relation with the rows of sampled_values, or none; and sums, true if metrics are
-- functions of sums over users, as in sql/statistics/linear.sql. The function's value is then
-- computed for each replicate.

{% macro replicates(plan) %}
{% set groups = sqlrec.compared_groups(plan, [plan.cluster]) %}
-- Means of {{ plan.title }} over resampled users.
{{ sqlrec.values_to_draw(plan, groups) }},
units as (
    select distinct unit
    from sampled
),
blocks as ({{ sqlrec.integers_to(plan.blocks) }}),
hashed as {{ sqlrec.materialized() }}(
    select units.unit, blocks.number as block, {{ sqlrec.md5("units.unit || ':' || " ~ sqlrec.string('blocks.number')) }} as digits
    from units
    cross join blocks
    where blocks.number <= {{ plan.blocks }}
),
drawn as {{ sqlrec.materialized() }}(
    select
        unit,
        block
        {%- for replicate in range(4) %},
        {{ sqlrec.poisson('substr(digits, ' ~ (8 * replicate + 1) ~ ', 8)') }} as weight_{{ replicate + 1 }}
        {%- endfor %}
    from hashed
)
select
    {%- for name in groups %}
    sampled.{{ name }} as {{ name }},
    {%- endfor %}
    drawn.block as block
    {%- for replicate in range(1, 5) %},
    {%- set weight = 'drawn.weight_' ~ replicate %}
    {%- if sqlrec.draws_sums(plan) %}
    {{ sqlrec.value_of_sums(plan, 'sum(' ~ weight ~ ' * sampled.added_numerator)', 'sum(' ~ weight ~ ' * sampled.added_denominator)', 'sum(' ~ weight ~ ')') }} as replicate_{{ replicate }}
    {%- else %}
    sum({{ weight }} * sampled.value)
    / nullif(sum({{ weight }}), 0) as replicate_{{ replicate }}
    {%- endif %}
    {%- endfor %},
    max(sampled.violations) as violations
from sampled
join drawn on drawn.unit = sampled.unit
group by {{ sqlrec.names(groups, 'sampled') }}, drawn.block
{{ sqlrec.ending() }}
{% endmacro %}

-- Sums of differences with random sign flips. One row per model, segment, metric, cutoff and block
-- of 32 flips. A digit of a hash decides whether a user's sign is flipped.
{% macro flips(plan) %}
{% set groups = sqlrec.compared_groups(plan, [plan.cluster]) %}
-- Sums of the differences
-- {{ 'of every pair of models' if plan.pairs else 'from ' ~ plan.baseline_model }} by
-- {{ plan.title }}, with random sign flips.
{{ sqlrec.values_to_draw(plan, groups) }},
units as (
    select distinct unit
    from sampled
),
blocks as ({{ sqlrec.integers_to(plan.blocks) }}),
hashed as {{ sqlrec.materialized() }}(
    select units.unit, blocks.number as block, {{ sqlrec.md5("units.unit || '~' || " ~ sqlrec.string('blocks.number')) }} as digits
    from units
    cross join blocks
    where blocks.number <= {{ plan.blocks }}
)
select
    {%- for name in groups %}
    sampled.{{ name }} as {{ name }},
    {%- endfor %}
    hashed.block as block
    {%- for flip in range(1, 33) %},
    sum(case when substr(hashed.digits, {{ flip }}, 1) < '8' then sampled.value else -sampled.value end) as flip_{{ flip }}
    {%- endfor %},
    max(sampled.violations) as violations
from sampled
join hashed on hashed.unit = sampled.unit
group by {{ sqlrec.names(groups, 'sampled') }}, hashed.block
{{ sqlrec.ending() }}
{% endmacro %}

{% macro draws_sums(plan) %}{{ return(plan.sums is defined and plan.sums) }}{% endmacro %}

-- A query named sampled: the values to resample, with the users.
{% macro values_to_draw(plan, groups) %}
{% if plan.found %}
with sampled as (
    select *
    from {{ plan.found }}
)
{%- else %}
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }}
{%- endif %}
{%- endmacro %}

-- The values to resample, for another engine.
{% macro sampled_values(plan) %}
{% set groups = sqlrec.compared_groups(plan, [plan.cluster]) %}
-- The values of {{ plan.title }} to resample.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }}
select {{ groups | join(', ') }}, unit, value,{{ ' added_numerator, added_denominator,' if sqlrec.draws_sums(plan) }} violations
from sampled
{{ sqlrec.ending() }}
{% endmacro %}

-- The values to resample: per-user values, or differences from a baseline, with other columns. unit
-- is the user or group to resample, as text.
{% macro sampled(plan, groups, beside=[]) %}
{% set user = sqlrec.string('user_id') %}
{% set sums = sqlrec.draws_sums(plan) %}
{% if plan.baseline_model or plan.pairs %}
{{ sqlrec.differences(plan, plan.by | map(attribute='label') | reject('in', groups) | list) }},
{% elif plan.terms and not sums %}
{% set kept = 'user_id, violations' ~ (', ' ~ plan.cluster if plan.cluster) %}
summed_terms as (
    select
        {{ groups | join(', ') }}, {{ kept }}, value as user_value, added_numerator, added_denominator,
        count(*) over (partition by {{ groups | join(', ') }}) as sum_users,
        sum(added_numerator) over (partition by {{ groups | join(', ') }}) as added_numerators,
        sum(added_denominator) over (partition by {{ groups | join(', ') }}) as added_denominators
    from user_results
    where added_numerator + added_denominator is not null
),
linear_values as (
    select {{ groups | join(', ') }}, {{ kept }}, {{ sqlrec.linear_value(plan, 'user_value') | trim }} as value
    from summed_terms
),
{% endif %}
sampled as (
    select
        {{ groups | join(', ') }},
        {{ 'coalesce(' ~ sqlrec.string(plan.cluster) ~ ', ' ~ user ~ ')' if plan.cluster else user }} as unit,
        {{ beside | join(', ') ~ ',' if beside }}
        {{ 'difference as value, baseline_value' if plan.baseline_model or plan.pairs else 'value' }},
        {{ 'added_numerator, added_denominator,' if sums }}
        violations
    from {{ 'differences' if plan.baseline_model or plan.pairs else 'linear_values' if plan.terms and not sums else 'user_results' }}
    {{ '' if plan.baseline_model or plan.pairs else 'where added_numerator + added_denominator is not null' if sums else 'where value is not null' }}
)
{%- endmacro %}

-- A Poisson variable with mean 1, from eight hexadecimal digits, which are sorted like numbers in
-- every collation. The limits are 2^32 times the probabilities of at most 0, 1, 2, ...
{% macro poisson(digits) -%}
case
            {%- for limit in ['5e2d58d8', 'bc5ab1b1', 'eb715e1d', 'fb239797', 'ff1025f5', 'ffd90f3b', 'fffa8b71', 'ffff540c', 'ffffed1f', 'fffffe21', 'ffffffd4', 'fffffffc'] %}
            when {{ digits }} < '{{ limit }}' then {{ loop.index0 }}
            {%- endfor %}
            else 12
        end
{%- endmacro %}
