-- Aspected: one row per model, user, cutoff, hit of the list within k, and aspect of the hit. A user
-- with none has one row all the same, in which aspects is 0.
--
--   model             whose list it is, where several models are evaluated
--   user_id           for whom
--   <segment>         what `by` names, one value for each user
--   k                 the cutoff
--   list_length       the places of the list, at most k; 0 for a user without list
--   tied              1 where places k and k + 1 have the same score; only in lists ordered by score
--   rank              the item's place, from 1
--   aspects           1, or 0 in the row of a user without hit that has an aspect
--   earlier_hits      how many hits above have the aspect
--   discount          the weight of the place: 1 / log2(rank + 1)
--   ideal_alpha_dcg_<alpha>   the alpha-DCG of the best list, the same in all rows of a user and k; null
--                     where no item that is relevant to the user has an aspect
--
-- The best list is built place by place: next comes the item that gains most, and of those that gain
-- as much the last by its id. Gains are compared to 12 digits, so that all engines choose alike. A
-- place is a named query, which reads the one before it once; each alpha has places of its own.

{% macro aspected(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set names = sqlrec.names(keys + ['item_id']) %}
{% set first_places = '(select ' ~ names ~ ', min(rank) as rank from listed group by ' ~ names ~ ') as listed' %}
item_aspects as (
    {{ sqlrec.item_labels(plan, 'aspect') | trim }}
),
aspect_hits as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.rank as rank,
        1 / {{ sqlrec.log2('listed.rank + 1') }} as discount,
        count(*) over (
            partition by {{ sqlrec.names(keys, 'listed') }}, item_aspects.aspect
            order by listed.rank asc rows between unbounded preceding and current row
        ) - 1 as earlier_hits
    from {{ first_places if plan.duplicates == 'once' else 'listed' }}
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where relevant.is_relevant > 0 and listed.rank <= {{ kind.cutoffs | max }}
),
{# Metrics may differ in their names alone. #}
{% set ideals = {} %}
{% for metric in kind.metrics %}
{% set _ = ideals.setdefault(sqlrec.asked_alpha(metric), []).extend(metric.cutoffs) %}
{% endfor %}
{% for alpha, cutoffs in ideals.items() %}
{{ sqlrec.best_aspects(cutoffs | max, cutoffs | unique | list, alpha) }}
{% endfor %}
aspected as (
    select
        {{ sqlrec.taken(sqlrec.user_groups(plan, used), 'evaluated') }},
        {%- for alpha, cutoffs in ideals.items() %}
        {%- set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
        {%- if plan.k %}
        nullif({{ ideal }}.dcg_{{ plan.k }}, 0) as {{ ideal }},
        {%- else %}
        case evaluated.k
            {%- for k in cutoffs | unique %}
            when {{ k }} then nullif({{ ideal }}.dcg_{{ k }}, 0)
            {%- endfor %}
        end as {{ ideal }},
        {%- endif %}
        {%- endfor %}
        coalesce(aspect_hits.rank, {{ plan.past_every_cutoff }}) as rank,
        case
            when aspect_hits.rank > 0 then {{ sqlrec.double(1) }}
            else {{ sqlrec.double(0) }}
        end as aspects,
        coalesce(aspect_hits.earlier_hits, 0) as earlier_hits,
        coalesce(aspect_hits.discount, 0) as discount
    from evaluated
    left join aspect_hits
        on {{ sqlrec.same(keys, 'aspect_hits', 'evaluated') }}
        and {{ sqlrec.within(plan, 'aspect_hits.rank', 'evaluated') }}
    {%- for alpha in ideals %}
    {%- set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
    left join {{ ideal }} on {{ ideal }}.user_id = evaluated.user_id
    {%- endfor %}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
),
{% endmacro %}

{% macro aspected_keys(plan, used) %}
{{ return(sqlrec.user_groups(plan, used) + sqlrec.starting(used, 'ideal_alpha_dcg_')) }}
{% endmacro %}

{% macro aspected_population(plan) %}{{ plan.population }}{% endmacro %}

-- The alpha that a metric is asked with.
{% macro asked_alpha(metric) -%}
{{ metric.params.alpha if 'alpha' in metric.params else 0.5 }}
{%- endmacro %}

-- The column and named query of an ideal.
{% macro ideal_alpha_dcg(alpha) -%}
ideal_alpha_dcg_{{ alpha | string | replace('.', '_') | replace('-', '_') }}
{%- endmacro %}

-- The alpha-DCG of the best lists down to each cutoff: a row per user with a relevant item.
{% macro best_aspects(depth, cutoffs, alpha) %}
{% set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
{% set cutoffs = cutoffs | sort %}
-- What there is to choose from, in the order of ids, and one row that is never used up.
{{ ideal }}_items as (
    select
        numbered.user_id as user_id,
        numbered.number as number,
        item_aspects.aspect as aspect,
        {{ sqlrec.double(1) }} as weight,
        {{ sqlrec.double(0) }} as dcg
    from (
        select
            user_id,
            item_id,
            row_number() over (partition by user_id order by {{ sqlrec.by_item('asc') }}) as number
        from relevant
        where is_relevant > 0
    ) as numbered
    join item_aspects on item_aspects.item_id = numbered.item_id
    union all
    select
        user_id,
        0 as number,
        null as aspect,
        {{ sqlrec.double(0) }} as weight,
        {{ sqlrec.double(0) }} as dcg
    from truth_users
    where relevant_items > 0
),
{% for place in range(1, depth + 1) %}
{% set weight = 'weight' if loop.first else sqlrec.weight_left(alpha) %}
{{ ideal }}_place_{{ place }} as {{ sqlrec.materialized() }}(
    select
        user_id,
        number,
        aspect,
        weight,
        {%- for k in cutoffs if k < place %}
        dcg_{{ k }},
        {%- endfor %}
        dcg + best_gain / {{ sqlrec.log2(sqlrec.double(place + 1)) }} as dcg{{ '_' ~ place if place in cutoffs }},
        best_number,
        max(case when number = best_number then 1 else 0 end) over (
            partition by user_id, aspect
        ) as held
    from (
        select
            user_id,
            number,
            aspect,
            weight,
            {%- for k in cutoffs if k < place %}
            dcg_{{ k }},
            {%- endfor %}
            dcg,
            max(gain) over (partition by user_id) as best_gain,
            first_value(number) over (
                partition by user_id
                order by
                    floor(gain * {{ sqlrec.double(1099511627776) }} + {{ sqlrec.double(0.5) }}) desc,
                    number desc
                rows between unbounded preceding and unbounded following
            ) as best_number
        from (
            select
                user_id,
                number,
                aspect,
                {{ sqlrec.named(weight, 'weight') }},
                {%- for k in cutoffs if k < place %}
                dcg_{{ k }},
                {%- endfor %}
                {{ 'dcg_' ~ (place - 1) ~ ' as ' if place - 1 in cutoffs }}dcg,
                sum({{ weight }}) over (partition by user_id, number) as gain
            from {{ ideal }}_{{ 'items' if loop.first else 'place_' ~ (place - 1) }}
            {{ 'where number = 0 or number <> best_number' if not loop.first }}
        ) as gains
    ) as best_items
),
{% endfor %}
{{ ideal }} as (
    select user_id{% for k in cutoffs %}, dcg_{{ k }}{% endfor %}
    from {{ ideal }}_place_{{ depth }}
    where number = 0
),
{% endmacro %}

-- What a further item of the aspect is worth, after the place before. A product next to 0 would be too
-- small a number.
{% macro weight_left(alpha) -%}
case
                    when held = 0 then weight
                    when weight > {{ sqlrec.double(1e-250) }} then weight * {{ sqlrec.double(1 - alpha | float) }}
                    else 0
                end
{%- endmacro %}

-- What the hits above leave of an aspect's gain. A power next to 0 would be too small a number.
{% macro aspect_weight(alpha) -%}
{%- if alpha | float == 1 -%}
case when earlier_hits = 0 then 1 else 0 end
{%- elif alpha | float == 0 -%}
1
{%- else -%}
{%- set kept = sqlrec.double(1 - alpha) -%}
case when earlier_hits * {{ sqlrec.ln(kept) }} > -500 then power({{ kept }}, earlier_hits) else 0 end
{%- endif -%}
{%- endmacro %}
