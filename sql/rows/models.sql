-- Cutoffs: one row per cutoff.
--
-- Models: one row per model.

{% macro cutoffs_and_models(plan) %}
cutoffs as (
    select cast({{ plan.cutoffs[0] }} as bigint) as k{% for k in plan.cutoffs[1:] %} union all select {{ k }}{% endfor %}

),
{% if 'model' not in plan.list_keys %}
models as (
    select 'recs' as model
),
{% else %}
models as (
    {%- for source in plan.recs %}
    {{ 'union all' if not loop.first }}
    {%- if source.model is not none %}
    select {{ sqlrec.model(plan, source) }} as model
    {%- elif plan.audit and source.models %}
    select unnest(enum_range(cast(null as enum ({{ source.models | join(', ') }})))) as model
    {%- elif plan.audit and plan.order == 'score' and plan.null_scores != 'drop' and plan.scores == 'any' and plan.list_users == 'all' and plan.seen == 'keep' %}
    select model from list_lengths group by model
    {%- else %}
    {#- A model may have no ranks within the cutoffs. #}
    select distinct {{ sqlrec.with_alias(sqlrec.model(plan, source), 'model') }} from {{ source.relation }}
    {%- endif %}
    {%- endfor %}
),
{% endif %}
{% endmacro %}
