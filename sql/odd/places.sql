-- Places as some libraries have them: where hits are looked for.

-- Whether items with equal scores share what their places are worth.
{% macro shares_places(plan) %}{{ return(plan.ties == 'shared' and plan.order == 'score') }}{% endmacro %}

-- The places, the queries that make them of lists, and the column that counts them.
{% macro places_of_hits(plan, used) %}
{% set found = namespace(relation='listed', counted='rank') %}
{% set queries %}
{% if plan.unlisted != 'absent' %}
{% set found.relation = 'with_unlisted' %}
{{ sqlrec.unlisted(plan, sqlrec.shares_places(plan)) }}
{% elif plan.duplicates == 'crossed' or plan.truth_duplicates == 'lines' %}
{# Whose number is known with evaluated users. #}
{% set found.relation = 'crossed' if plan.duplicates == 'crossed' else 'lines' %}
{% else %}
{% if plan.order == 'rank' and 'misses_so_far' in used %}
{% set found.relation = 'counted_places' %}
{% set found.counted = 'place' %}
-- Ranks as they are given may leave places out, which hold no item.
counted_places as (
    select *,
        row_number() over (partition by {{ sqlrec.names(plan.list_keys) }} order by rank asc, {{ sqlrec.by_item('asc') }}) as place
    from listed
),
{% elif sqlrec.finds_places_first(plan) %}
{% set found.relation = 'found_places' %}
{% endif %}
{% if plan.duplicates == 'once' %}
-- A repeated item is a hit at its first place alone.
first_places as (
    select {{ sqlrec.names(plan.list_keys) }}, item_id, min(rank) as rank{{ ', min(place) as place' if found.counted == 'place' }}
    from {{ found.relation }}
    group by {{ sqlrec.names(plan.list_keys) }}, item_id
),
{% set found.relation = 'first_places' %}
{% endif %}
{% endif %}
{% endset %}
{{ return({'queries': queries, 'relation': found.relation, 'counted': found.counted}) }}
{% endmacro %}
