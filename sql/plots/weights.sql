-- Weights: the concentration of the weights of logged decisions. A weight is the target probability
-- divided by the propensity. Decisions are ordered by weight, and divided into 40 groups of the
-- same size. One row per model, segment and group.
--
--   decision_share  the share of decisions with a weight up to the largest of this group
--   weight_share    the share of the total weight that these decisions have
--   weight          the mean weight of the group
--   low, high       the smallest and the largest weight of the group
--   decisions       number of decisions
--   effective       the effective sample size (Kish 1965)
--   top_share       the share of the total weight of the top 1% of decisions
{% macro plot_weights(plan) %}
-- The weights of logged decisions, from the smallest to the largest.
{{ sqlrec.plotted_rows(plan, sqlrec.weight_rows(plan)) }}
{% endmacro %}

{% macro weight_rows(plan) %}
{% set keys = (['model'] if 'model' in plan.list_keys else []) + plan.by | map(attribute='name') | list %}
{% set partition = 'partition by ' ~ keys | join(', ') if keys else '' %}
{{ sqlrec.violation_counts(plan) }}
{{ sqlrec.logged(sqlrec.with_row_keys(plan, plan.group_columns), plan.kinds[0], keys + ['weight']) }}
ordered_weights as (
    select
        {{ keys | join(', ') ~ ', ' if keys }}weight,
        row_number() over ({{ partition }} order by weight asc) as number,
        count(*) over ({{ partition }}) as decisions,
        sum(weight) over ({{ partition }}) as all_weight,
        sum({{ sqlrec.product('weight', 'weight') }}) over ({{ partition }}) as all_squares
    from logged
),
parted_weights as (
    select
        {{ keys | join(', ') ~ ', ' if keys }}weight, number, decisions, all_weight, all_squares,
        floor((number - 1) * cast(40 as double) / decisions) as part,
        sum(case when number > decisions * 0.99e0 then weight else 0 end) over ({{ partition }}) as top_weight
    from ordered_weights
),
parts_of_weights as (
    select
        {{ keys | join(', ') ~ ', ' if keys }}part, decisions, all_weight, all_squares, top_weight,
        cast(max(number) as double) / decisions as decision_share,
        sum(weight) as part_weight,
        favg(weight) as weight,
        min(weight) as low,
        max(weight) as high
    from parted_weights
    group by {{ keys | join(', ') ~ ', ' if keys }}part, decisions, all_weight, all_squares, top_weight
)
select
    {{ sqlrec.string('parts_of_weights.model') if 'model' in keys else "'recs'" }} as model,
    {%- for segment in plan.by %}
    parts_of_weights.{{ segment.name }} as {{ segment.label }},
    {%- endfor %}
    parts_of_weights.decision_share as decision_share,
    sum(parts_of_weights.part_weight) over (
        {{ 'partition by ' ~ sqlrec.names(keys, 'parts_of_weights') ~ ' ' if keys }}order by parts_of_weights.part asc rows between unbounded preceding and current row
    ) / nullif(parts_of_weights.all_weight, 0) as weight_share,
    parts_of_weights.weight as weight,
    parts_of_weights.low as low,
    parts_of_weights.high as high,
    cast(parts_of_weights.decisions as bigint) as decisions,
    {{ sqlrec.product('parts_of_weights.all_weight', 'parts_of_weights.all_weight') }} / nullif(parts_of_weights.all_squares, 0) as effective,
    parts_of_weights.top_weight / nullif(parts_of_weights.all_weight, 0) as top_share,
    cast(violation_counts.violations as bigint) as violations
from parts_of_weights
cross join violation_counts
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}decision_share asc
{% endmacro %}
