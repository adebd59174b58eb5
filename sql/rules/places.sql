-- Where hits are looked for: the places of lists, as some libraries have them.

-- The queries that make these places of lists.
{% macro places_of_hits(plan) %}
{{ sqlrec['unlisted__' ~ plan.unlisted](plan) }}
{{ sqlrec.first_places(plan) if plan.duplicates == 'once' }}
{% endmacro %}

-- The places that are read, by the name of a list's: what joins looks up the truth from.
{% macro places_read(plan, used) %}{{ adapter.dispatch('places_read', 'sqlrec')(plan, used) }}{% endmacro %}
{% macro default__places_read(plan, used) -%}
{%- if plan.unlisted != 'absent' -%}
with_unlisted as listed
{%- elif plan.duplicates == 'crossed' -%}
crossed as listed
{%- elif plan.truth_duplicates == 'lines' -%}
lines as listed
{%- elif plan.duplicates == 'once' -%}
first_places as listed
{%- else -%}
{{ sqlrec.found_or_listed(plan) }}
{%- endif -%}
{%- endmacro %}

-- Places by their number in the list. Ranks as they are given may leave places out, which hold no item.
{% macro counted_by_rank(plan) %}
counted_places as (
    select *, row_number() over (partition by model, user_id order by rank asc, {{ sqlrec.by_item('asc') }}) as counted_rank
    from listed
),
{% endmacro %}
{% macro counted_by_score(plan) %}
counted_places as (
    select *, rank as counted_rank
    from listed
),
{% endmacro %}

-- once: a repeated item is a hit at its first place alone.
{% macro first_places(plan) %}
first_places as (
    select model, user_id, item_id, min(rank) as rank, min(counted_rank) as counted_rank
    from {{ sqlrec.found_or_listed(plan) }}
    group by model, user_id, item_id
),
{% endmacro %}

-- The column that a cutoff is held against.
{% macro reached_rank(plan) %}{{ 'place' if plan.truth_duplicates == 'lines' else 'rank' }}{% endmacro %}

-- What one of several rows of a place counts among the hits so far.
{% macro hits_of_place(plan) %}relevant.{{ 'relevant_rows' if plan.truth_duplicates == 'summed' else 'is_relevant' }}{% endmacro %}

-- The places that cutoffs reach: a clause of lists, and a condition of matches.
{% macro where_reached(plan) %}{{ 'where listed.' ~ sqlrec.reached_rank(plan) ~ ' <= ' ~ plan.depth if plan.depth and not sqlrec.shares_places(plan) }}{% endmacro %}
{% macro and_reached(plan, k) -%}
{%- set within = 'matches.' ~ sqlrec.reached_rank(plan) ~ ' <= ' ~ k -%}
and {{ '(' ~ within ~ ' or ' ~ sqlrec.at_cutoff(plan, 'shared', 'matches', k) ~ ' > 0)' if sqlrec.shares_places(plan) else within }}
{%- endmacro %}

-- Whether items with equal scores share what their places are worth, and the columns that say it of each cutoff.
{% macro shares_places(plan) %}{{ return(plan.ties == 'shared' and plan.order == 'score') }}{% endmacro %}
{% macro shared_columns(plan) %}
{% set names = [] %}
{% for k in plan.cutoffs if sqlrec.shares_places(plan) %}{% set _ = names.append(sqlrec.column_at(plan, 'shared', k)) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The weight of a match: where places are shared, that of a list's items below the cutoff too.
{% macro discount_of_match(plan) %}{{ sqlrec.at_cutoff(plan, 'shared', 'matches', 'evaluated.k') if sqlrec.shares_places(plan) else sqlrec.discount('dcg', 'matches.rank') }}{% endmacro %}

-- What the truth says of places.
{% macro judgments_of_places(plan, used) %}{{ adapter.dispatch('judgments_of_places', 'sqlrec')(plan, used) }}{% endmacro %}
{% macro default__judgments_of_places(plan, used) %}
    join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
{% endmacro %}
