-- Models: one row per model, where several are evaluated.
--
-- Cutoffs: one row per cutoff asked.

{% macro models(plan) %}
{% if 'model' in plan['keys'] %}
models as (
    {%- for source in plan.recs %}
    {{ 'union all' if not loop.first }}
    {%- if source.model is not none %}
    select {{ sqlrec.model(source) }} as model
    {%- elif plan.order == 'score' and plan.null_scores != 'drop' and plan.scores == 'any' and plan.listed == 'all' %}
    select model from lists group by model
    {%- else %}
    {#- Not all models need to have a place within the cutoffs. #}
    select {{ sqlrec.model(source) }} as model from {{ source.relation }} group by {{ sqlrec.model(source) }}
    {%- endif %}
    {%- endfor %}
),
{% endif %}
{% endmacro %}

{% macro cutoffs(plan) %}
cutoffs as (
    {%- for k in plan.cutoffs %}
    select cast({{ k }} as bigint) as k{{ ' union all' if not loop.last }}
    {%- endfor %}
),
{% endmacro %}
