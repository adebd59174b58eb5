-- A row if lists and truth have an item in common, even for different users. The row is read if no
-- list has a hit, because lists and truth may contain ids in different formats.
--
-- The plan has one table in recs, and two entries in addition to the entries of sqlrec/plan/plan.py:
-- named_model, a model as a string constant, if the table has several models; and, for least_ids,
-- id_name, which is user_id or item_id.

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

-- The number of rows, the highest score and the first rank in lists of users of the truth, before
-- rules are applied. The result is read if no user of the truth has a list. If there are rows, the
-- ids match, so a rule removes the items.
{% macro users_in_common(plan) %}
{% set source = plan.recs[0] %}
{% set of_scores = source.columns.score and plan.order == 'score' %}
{% set of_ranks = source.columns.rank and plan.order == 'rank' %}
select
    count(*) as ranks,
    {{ 'max(' ~ sqlrec.score(plan, source) ~ ')' if of_scores else 'cast(null as double)' }} as highest_score,
    {{ 'min(' ~ source.columns.rank ~ ')' if of_ranks else 'cast(null as bigint)' }} as first_rank
from {{ source.relation }}
where {{ source.columns.user_id }} in (select {{ plan.truth.columns.user_id }} from {{ plan.truth.relation }})
    {{- ' and ' ~ sqlrec.string(source.columns.model) ~ ' = ' ~ plan.named_model if plan.named_model }}
{{ sqlrec.ending() }}
{% endmacro %}

-- One row with two columns, for messages: the smallest user or item of the lists, and of the truth,
-- as text.
{% macro least_ids(plan) %}
{% set source = plan.recs[0] %}
select
    (select min({{ sqlrec.string('shown.given_id') }}) from (
        {{ sqlrec.given_ids(source, plan.id_name) }}
        {%- if plan.named_model %}
        where {{ sqlrec.string(source.columns.model) }} = {{ plan.named_model }}
        {%- endif %}
    ) as shown) as shown_id,
    (select min({{ sqlrec.string('judged.given_id') }}) from (
        {{ sqlrec.given_ids(plan.truth, plan.id_name) }}
    ) as judged) as judged_id
{{ sqlrec.ending() }}
{% endmacro %}

{% macro given_ids(source, name) %}
{%- if name == 'item_id' and source.unnest %}
{{- 'select item_id as given_id from (' ~ sqlrec.given_items(source) | trim ~ ') as items' }}
{%- else -%}
select {{ source.columns[name] }} as given_id from {{ source.relation }}
{%- endif %}
{%- endmacro %}

{% macro given_items(source) %}
{%- if source.unnest %}
{{- sqlrec.unnested('1 as row', source.columns.item_id, 'rank', source.relation) | trim }}
{%- else -%}
select {{ sqlrec.with_alias(source.columns.item_id, 'item_id') }} from {{ source.relation }}
{%- endif %}
{%- endmacro %}
