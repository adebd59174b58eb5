-- Models: one row per model, where several are evaluated.
--
-- Cutoffs: one row per cutoff, where several are asked.

{% macro models(plan, used) %}
{% if 'model' in plan.list_keys and not sqlrec.models_alone(plan) %}
models as (
    {%- for source in plan.recs %}
    {{ 'union all' if not loop.first }}
    {%- if source.model is not none %}
    select {{ sqlrec.model(plan, source) }} as model
    {%- elif plan.audit and source.models %}
    select unnest(enum_range(cast(null as enum ({{ source.models | join(', ') }})))) as model
    {%- elif plan.audit and plan.order == 'score' and plan.null_scores != 'drop' and plan.scores == 'any' and plan.listed == 'all' and plan.seen == 'keep' %}
    select model from list_lengths group by model
    {%- else %}
    {#- Not all models need to have a place within the cutoffs. #}
    select distinct {{ sqlrec.named(sqlrec.model(plan, source), 'model') }} from {{ source.relation }}
    {%- endif %}
    {%- endfor %}
),
{% endif %}
{% endmacro %}

-- All models, as what users are joined with; where nothing else reads them, they need no query of their own.
{% macro all_models(plan) -%}
{%- if sqlrec.models_alone(plan) -%}
(select distinct {{ sqlrec.named(sqlrec.model(plan, plan.recs[0]), 'model') }} from {{ plan.recs[0].relation }}) as models
{%- else -%}
models
{%- endif -%}
{%- endmacro %}
{% macro models_alone(plan) %}
{{ return(
    not plan.audit and plan.kinds | map(attribute='name') | list == ['hits'] and plan.recs | length == 1
    and plan.recs[0].model is none and plan.population in ['truth', 'judged', 'truth_and_recs', 'judged_and_recs']
    and not sqlrec.seeks_again(plan) and plan.truth_duplicates != 'lines' and plan.unlisted == 'absent'
) }}
{% endmacro %}

{% macro cutoffs(plan, used) %}
{% if not plan.k %}
cutoffs as (
    select cast({{ plan.cutoffs[0] }} as bigint) as k{% for k in plan.cutoffs[1:] %} union all select {{ k }}{% endfor %}

),
{% endif %}
{% endmacro %}
