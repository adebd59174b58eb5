-- Plots of stored results. They read only a table of evaluate or compare, which may be in a
-- warehouse or an old file. The plot is a dict:
--
--   relation   the table of results, or of a comparison
--   segments   the columns of segments, quoted if necessary
--   limits     true if the table has the columns low and high
--   x, y       only for plot_tradeoff: two requests, as in the column `request`; x_sign, y_sign are
--              1 if higher values are better, -1 if lower values are better, else 0

-- Curve: a metric by cutoff. One row per model, segment, metric and cutoff.
{% macro plot_curve(plot) %}
{% call sqlrec.plotted() %}
select
    model, {% for name in plot.segments %}{{ name }}, {% endfor %}metric, k, request, users, value,
    {{ sqlrec.plotted_limits(plot) }}
from {{ plot.relation }}
where k is not null and value is not null
order by metric asc, {% for name in plot.segments %}{{ name }} asc, {% endfor %}model asc, k asc
{% endcall %}
{% endmacro %}

-- History: a metric by step, a column of the results of several days or epochs.
{% macro plot_history(plot) %}
{% call sqlrec.plotted() %}
select
    model, {% for name in plot.segments %}{{ name }}, {% endfor %}metric, k, request, step, users, value,
    {{ sqlrec.plotted_limits(plot) }}
from {{ plot.relation }}
where value is not null
order by metric asc, k asc, {% for name in plot.segments %}{{ name }} asc, {% endfor %}model asc, step asc
{% endcall %}
{% endmacro %}

-- Forest: the differences from the baseline by segment, the largest losses first.
{% macro plot_forest(plot) %}
{% call sqlrec.plotted() %}
select
    model, {% for name in plot.segments %}{{ name }}, {% endfor %}metric, k, request, users, better, difference, low, high, p_adjusted
from (
    select
        model, {% for name in plot.segments %}{{ name }}, {% endfor %}metric, k, request, users, better, difference, low, high, p_adjusted,
        favg(difference) over (
            partition by metric, k{% for name in plot.segments %}, {{ name }}{% endfor %}
        ) as segment_difference
    from {{ plot.relation }}
) as compared
where difference is not null
order by
    metric asc, k asc,
    case when better = 'lower' then -segment_difference else segment_difference end asc,
    {% for name in plot.segments %}{{ name }} asc, {% endfor %}model asc
{% endcall %}
{% endmacro %}

-- Tradeoff: one metric against another. One row per model; pareto is 1 if no other model is better
-- by one of the metrics and at least as good by the other, and null if a metric's direction is
-- neither.
{% macro plot_tradeoff(plot) %}
{% call sqlrec.plotted() %}
with sides as (
    select
        model,
        {%- for side in ['x', 'y'] %}
        {%- for column in ['value', 'low', 'high'] %}
        max(case when request = {{ plot[side] }} then {{ column if column == 'value' or plot.limits else 'cast(null as double)' }} end) as {{ side }}{{ '_' ~ column if column != 'value' }}{{ ',' if not loop.last }}
        {%- endfor %}
        {{- ',' if not loop.last }}
        {%- endfor %}
    from {{ plot.relation }}
    group by model
)
select
    sides.model as model,
    sides.x as x, sides.x_low as x_low, sides.x_high as x_high,
    sides.y as y, sides.y_low as y_low, sides.y_high as y_high,
    {%- if plot.x_sign and plot.y_sign %}
    {%- set x, rival_x = plot.x_sign ~ ' * sides.x', plot.x_sign ~ ' * rivals.x' %}
    {%- set y, rival_y = plot.y_sign ~ ' * sides.y', plot.y_sign ~ ' * rivals.y' %}
    case
        when max(
            case
                when {{ rival_x }} >= {{ x }} and {{ rival_y }} >= {{ y }} and ({{ rival_x }} > {{ x }} or {{ rival_y }} > {{ y }})
                then 1
                else 0
            end
        ) = 0
        then 1
        else 0
    end as pareto
    {%- else %}
    cast(null as bigint) as pareto
    {%- endif %}
from sides
cross join sides as rivals
where sides.x is not null and sides.y is not null
group by sides.model, sides.x, sides.x_low, sides.x_high, sides.y, sides.y_low, sides.y_high
order by sides.model asc
{% endcall %}
{% endmacro %}

{% macro plotted_limits(plot) -%}
{{ 'low, high' if plot.limits else 'cast(null as double) as low, cast(null as double) as high' }}
{%- endmacro %}
