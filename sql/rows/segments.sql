-- Truth segments, users segments: one row per user of the truth, or of the users table.
--
--   user_id     the user
--   <segment>   the column that `by` names, if the table has it
--   violations  segments in which the user has more than one value

{% macro segments(plan) %}
{% for table in plan.segment_tables %}
{{ '-- The segments of each user, of several in a column the smallest.' if not plan.audit }}
{{ table }}_segments as (
    select {{ plan[table].columns.user_id }} as user_id,
        {% for segment in plan.by if segment.table == table %}min({{ segment.column }}) as {{ segment.name }}, {% endfor %}
        {% for segment in plan.by if segment.table == table %}
        case
            when count({{ segment.column }}) = 0 then 0
            when count({{ segment.column }}) = count(*) and min({{ segment.column }}) = max({{ segment.column }}) then 0
            else 1
        end{{ ' + ' if not loop.last }}
        {%- endfor %} as violations
    from {{ plan[table].relation }}
    group by {{ plan[table].columns.user_id }}
),
{% endfor %}
{% endmacro %}
