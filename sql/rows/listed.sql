-- Listed: one row per place of a list, down to the deepest cutoff asked.
--
--   model        whose list it is, where several models are evaluated
--   user_id      for whom
--   item_id      what stands there
--   rank         the place, from 1
--   unplaced     1 where the score is missing, or the rank is missing or below 1; else 0
--   tied         1 where the next place has the same score, else 0; only in lists ordered by score
--   misplaced    1 without score, or where the place before has a lower one; only with both
--
-- Lists: one row per list.
--
--   places_<k>   its places within a cutoff
--   faults       broken rules: no user or model, no item, no score or rank, an item or rank twice, ...

{% macro listed(plan) %}
{% set keys = plan['keys'] %}
{% set given = 'score' if plan.order == 'score' else 'given_rank' %}
-- Every recommendation.
recommended as (
    {%- for source in plan.recs %}
    {{ 'union all' if not loop.first }}
    {%- if source.unnest %}
    {{ sqlrec.unnested(sqlrec.list_keys(plan, source), source.columns.item_id, 'given_rank', source.relation) | trim }}
    {%- else %}
    select
        {{ sqlrec.list_keys(plan, source) }},
        {{ sqlrec.named(source.columns.item_id, 'item_id') }}
        {%- if plan.order == 'rank' %},
        cast({{ source.columns.rank }} as bigint) as given_rank
        {%- endif %}
        {%- if plan.order == 'score' or plan.check_order %},
        {{ sqlrec.named(sqlrec.score(source), 'score') }}
        {%- endif %}
    from {{ source.relation }}
    {%- if plan.null_scores == 'drop' %}
    where {{ sqlrec.score(source) }} is not null
    {%- endif %}
    {%- endif %}
    {%- endfor %}
),
{% if plan.duplicates == 'best' %}
-- An item counts once in a list, at its best place.
distinct_items as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {{ 'max' if plan.order == 'score' else 'min' }}({{ given }}) as best_{{ given }},
        {%- if plan.check_order %}
        max(score) as score,
        {%- endif %}
        count(*) - 1 as repeats
    from recommended
    group by {{ sqlrec.names(keys) }}, item_id
),
repeated as (
    select {{ 'model, ' if 'model' in keys }}sum(repeats) as repeated_rows
    from distinct_items
    {{ 'group by model' if 'model' in keys }}
),
{% set given = 'best_' ~ given %}
{% endif %}
{% set source = 'distinct_items' if plan.duplicates == 'best' else 'recommended' %}
{% set window = 'partition by ' ~ sqlrec.names(keys) ~ ' order by ' ~ sqlrec.place(plan, given) %}
{% if plan.order == 'score' %}
-- The order is total: what the score leaves open, the item decides.
ranked as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        row_number() over ({{ window }}) as rank,
        case when {{ given }} is null then 1 else 0 end as unplaced,
        case
            when lead({{ given }}) over ({{ window }}) = {{ given }}
            then 1
            else 0
        end as tied
    from {{ source }}
),
-- The places that the cutoffs reach.
listed as (
    select {{ sqlrec.names(keys) }}, item_id, rank, unplaced, tied
    from ranked
    {%- if plan.depth %}
    where rank <= {{ plan.depth }}
    {%- endif %}
),
{% else %}
-- The places that the cutoffs reach.
listed as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {{ given }} as rank,
        case when {{ given }} >= 1 then 0 else 1 end as unplaced
        {%- if plan.check_order %},
        case
            when score is null or lag(score) over ({{ window }}) < score
            then 1
            else 0
        end as misplaced
        {%- endif %}
    from {{ source }}
    {%- if plan.depth %}
    where {{ given }} <= {{ plan.depth }} or {{ given }} is null
    {%- endif %}
),
{% endif %}
lists as (
    select
        {{ sqlrec.names(keys) }},
        {%- for k in plan.cutoffs %}
        cast(sum(case when rank <= {{ k }} then 1 else 0 end) as bigint) as {{ sqlrec.places(plan, k) }},
        {%- endfor %}
        case when user_id is null {{ 'or model is null ' if 'model' in keys }}then 1 else 0 end
        + count(*) - count(distinct item_id)
        {%- if plan.order == 'rank' %}
        + {{ sqlrec.repeated_ranks(plan.depth) }}
        {%- endif %}
        {%- if plan.null_scores == 'error' %}
        + sum(unplaced)
        {%- endif %}
        {%- if plan.check_order %}
        + sum(misplaced)
        {%- endif %} as faults
    from listed
    group by {{ sqlrec.names(keys) }}
),
{% endmacro %}

-- The column with the places of a list within a cutoff.
{% macro places(plan, k) -%}
places_{{ 'all' if k == plan.whole_list else k }}
{%- endmacro %}

{% macro score(source) -%}
{{ sqlrec.number(source.columns.score) if source.floating.score else source.columns.score }}
{%- endmacro %}

-- The model of rows of recs, and the user, as entries of a select.
{% macro list_keys(plan, source) -%}
{% if 'model' in plan['keys'] -%}
{{ sqlrec.model(source) }} as model,
        {% endif -%}
{{ sqlrec.named(source.columns.user_id, 'user_id') }}
{%- endmacro %}

{% macro model(source) -%}
{{ source.columns.model if source.model is not none else sqlrec.string(source.columns.model) }}
{%- endmacro %}

{% macro place(plan, given) -%}
{% if plan.order == 'rank' -%}
{{ given }} asc, {{ sqlrec.by_item('asc') }}
{%- else -%}
{#- Where a missing score is an error it comes first, so that every cutoff meets it. #}
{{- sqlrec.descending(given, 'last' if plan.null_scores == 'last' else 'first') }}, {{ sqlrec.by_item('desc' if plan.ties == 'item_desc' else 'asc') }}
{%- endif %}
{%- endmacro %}
