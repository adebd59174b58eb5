-- How many users' values a change of convention touches: the plan asks for one metric in several forms,
-- the first of which is what the others are compared with.
--
--   model     whose lists
--   metric    the form
--   touched   users whose value is another, or who have one in one form alone

{% macro explanation(plan) %}
{% set forms = plan.forms %}
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
-- Each user's values, a column for each form.
user_forms as (
    select
        model,
        user_id
        {%- for form in forms %},
        max(case when metric = '{{ form }}' then value end) as form_{{ loop.index }}
        {%- endfor %}
    from user_results
    group by model, user_id
)
{%- for form in forms[1:] %}
{{ 'union all' if not loop.first }}
select
    model,
    '{{ form }}' as metric,
    cast(sum(
        case
            when form_1 is null and form_{{ loop.index + 1 }} is null then 0
            when abs(form_{{ loop.index + 1 }} - form_1) <= 0.000000001 then 0
            else 1
        end
    ) as bigint) as touched
from user_forms
group by model
{%- endfor %}
{{ sqlrec.ending() }}
{% endmacro %}
