-- The log is from a week in 2019, but dbt counts batches back from today. So all days are moved, and the last day
-- becomes yesterday. Tables that get new rows every day do not need this.
{% macro first_day() %}
{{ return((modules.datetime.datetime.now(modules.pytz.utc).date() - modules.datetime.timedelta(days=7)).isoformat()) }}
{% endmacro %}

{% macro moved_day() -%}
case day
    {%- for number in range(7) %}
    {%- set days = modules.datetime.timedelta(days=number) %}
    {%- set moved = modules.datetime.date.fromisoformat(first_day()) + days %}
    when cast('{{ modules.datetime.date(2019, 11, 24) + days }}' as date) then cast('{{ moved }}' as date)
    {%- endfor %}
end
{%- endmacro %}
