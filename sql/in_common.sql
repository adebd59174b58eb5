-- Whether lists and truth have an item in common, whoever's it is: a row if they have. It is looked for
-- where no list has a hit, since ids may be spelled otherwise in the one and the other.
--
-- The plan has one table in recs, and one entry more than sqlrec/plan/plan.py lists, named_model: a model as a
-- text constant, where the table has several.

{% macro items_in_common(plan) %}
{% set source = plan.recs[0] %}
select 1 as found
from (
    {{ sqlrec.given_items(source) }}
    {%- if plan.named_model %}
    where {{ sqlrec.string(source.columns.model) }} = {{ plan.named_model }}
    {%- endif %}
) as shown
join (
    {{ sqlrec.given_items(plan.truth) }}
) as judged on judged.item_id = shown.item_id
limit 1
{{ sqlrec.ending() }}
{% endmacro %}

{% macro given_items(source) %}
{%- if source.unnest %}
{{- sqlrec.unnested('1 as row', source.columns.item_id, 'place', source.relation) | trim }}
{%- else -%}
select {{ sqlrec.named(source.columns.item_id, 'item_id') }} from {{ source.relation }}
{%- endif %}
{%- endmacro %}
