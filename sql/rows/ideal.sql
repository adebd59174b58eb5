-- Ideal: what the best list that a user could have been shown is worth. A metric asks for it by the
-- name of its column:
--
--   ideal_dcg_<gain>_<depth>        its DCG
--   ideal_late_dcg_<gain>_<depth>   its DCG with the discount that starts late
--
--     gain   binary        1 for a relevant item
--            linear        its relevance
--            exponential   2^relevance - 1
--     depth  achievable    the best k of the user's items, or all where there are fewer
--            relevant      all of the user's items, whatever k
--            list_length   the best as many as were shown within k
--            k             k items of relevance 1, whether the user has them or not
--
--   ideal_err_<max_grade>                   its expected reciprocal rank
--   ideal_utility_<half_life>_<neutral>     its utility for a user who loses patience
--
--     both of the best k of the user's items; the numbers are written by sqlrec.in_name
--
-- Two sources. Where all gains are 1, the ideal depends on its depth alone: `perfect` holds it for
-- each depth. Otherwise `ideal_sums` holds it for each user and depth.

{% macro ideal_rows(plan, used) %}
{% set columns = sqlrec.ideal_columns(plan, used) %}
{% if 'perfect_' in columns %}
-- The DCG of a list of nothing but hits.
perfect as (
    select
        number as depth
        {%- for form in ['dcg', 'late_dcg'] if 'ideal_' ~ form in used %},
        sum({{ sqlrec.discount(form, 'number') }}) over (
            order by number asc rows between unbounded preceding and current row
        ) as {{ form }}
        {%- endfor %}
    from ({{ sqlrec.counting(plan.largest_k) }}) as numbers
),
{% endif %}
{% if 'sums_' in columns %}
-- The user's items from best to worst.
{% set of_lists = sqlrec.seeks_again(plan) %}
{% set whose = sqlrec.names(plan['keys'] + ['k']) if of_lists else 'user_id' %}
ideal_lists as (
    select
        {{ whose }},
        relevance,
        relevant as hit,
        {%- for column in sqlrec.words(used, 'ideal_err_').split() %}
        {%- set max_grade = sqlrec.from_name(column[10:]) | float %}
        sum({{ sqlrec.log_of_going_on(max_grade) }}) over (
            partition by {{ whose }} order by relevance desc, item_id asc
            rows between unbounded preceding and current row
        ) as gone_on_{{ column[10:] }},
        {%- endfor %}
        row_number() over (partition by {{ whose }} order by relevance desc, item_id asc) as rank
    from {{ 'sought' if of_lists else 'relevant' }}
    where relevance > 0 or relevant > 0
),
ideal_sums as (
    select
        {{ whose }},
        rank as depth
        {%- for form in ['dcg', 'late_dcg'] %}
        {%- for gain in ['binary', 'linear', 'exponential'] if 'ideal_' ~ form ~ '_' ~ gain in used %},
        sum({{ sqlrec.gain(gain) }} * {{ sqlrec.discount(form, 'rank') }}) over (
            partition by {{ whose }} order by rank asc rows between unbounded preceding and current row
        ) as {{ gain }}_{{ form }}
        {%- endfor %}
        {%- endfor %}
        {%- for column in sqlrec.words(used, 'ideal_err_').split() %}
        {%- set max_grade = sqlrec.from_name(column[10:]) | float %},
        sum({{ sqlrec.stop(max_grade, 'gone_on_' ~ column[10:]) }} / rank) over (
            partition by {{ whose }} order by rank asc rows between unbounded preceding and current row
        ) as {{ column[6:] }}
        {%- endfor %}
        {%- for column in sqlrec.words(used, 'ideal_utility_').split() %}
        {%- set half_life, neutral = sqlrec.from_name(column[14:]).split('_') %},
        sum({{ sqlrec.utility(half_life | float, neutral | float) }}) over (
            partition by {{ whose }} order by rank asc rows between unbounded preceding and current row
        ) as {{ column[6:] }}
        {%- endfor %}
    from ideal_lists
),
{% endif %}
{% endmacro %}

-- The ideals that metrics name.
{% macro ideal_names(used) -%}
    {%- for depth in ['achievable', 'relevant', 'list_length', 'k'] %}
    {%- for form in ['dcg', 'late_dcg'] %}
    {%- for gain in ['binary', 'linear', 'exponential'] if 'ideal_' ~ form ~ '_' ~ gain ~ '_' ~ depth in used -%}
    ideal_{{ form }}_{{ gain }}_{{ depth }} {% endfor %}
    {%- endfor %}
    {%- endfor %}
    {{- sqlrec.words(used, 'ideal_err_') }} {{ sqlrec.words(used, 'ideal_utility_') }}
{%- endmacro %}

{% macro ideal_columns(plan, used) -%}
    {%- for depth in ['achievable', 'relevant', 'list_length', 'k'] %}
    {%- for form in ['dcg', 'late_dcg'] %}
    {%- for gain in ['binary', 'linear', 'exponential'] if 'ideal_' ~ form ~ '_' ~ gain ~ '_' ~ depth in used -%}
    ,
        {% if depth == 'k' or (plan.depth and depth != 'relevant' and (gain == 'binary' or not plan.graded)) -%}
        perfect_{{ depth }}.{{ form }}
        {%- else -%}
        nullif(sums_{{ depth }}.{{ gain }}_{{ form }}, 0)
        {%- endif %} as ideal_{{ form }}_{{ gain }}_{{ depth }}
    {%- endfor %}
    {%- endfor %}
    {%- endfor %}
    {%- for column in (sqlrec.words(used, 'ideal_err_') ~ ' ' ~ sqlrec.words(used, 'ideal_utility_')).split() -%}
    ,
        nullif(sums_achievable.{{ column[6:] }}, 0) as {{ column }}
    {%- endfor %}
{%- endmacro %}

{% macro ideal_joins(plan, used) %}
    {%- set columns = sqlrec.ideal_columns(plan, used) %}
    {%- set of_lists = sqlrec.seeks_again(plan) %}
    {%- for depth in ['achievable', 'relevant', 'list_length', 'k'] %}
    {%- if 'perfect_' ~ depth in columns %}
    left join perfect as perfect_{{ depth }}
        on perfect_{{ depth }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'relevant_items')) }}
    {%- endif %}
    {%- if 'sums_' ~ depth in columns %}
    left join ideal_sums as sums_{{ depth }}
        on {{ sqlrec.same(plan['keys'] if of_lists else ['user_id'], 'sums_' ~ depth, 'evaluated_users') }}
        {%- if of_lists %}
        and sums_{{ depth }}.k = cutoffs.k
        {%- endif %}
        and sums_{{ depth }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'ideal_items')) }}
    {%- endif %}
    {%- endfor %}
{% endmacro %}

-- The weight of a place in a DCG.
{% macro discount(form, place) -%}
{%- if form == 'dcg' -%}
1 / {{ sqlrec.log2(place ~ ' + 1') }}
{%- else -%}
case when {{ place }} > 2 then 1 / {{ sqlrec.log2(place) }} else {{ sqlrec.double(1) }} end
{%- endif -%}
{%- endmacro %}

{% macro ideal_depth(plan, depth, items) -%}
    {%- if depth == 'achievable' -%}
    {{ sqlrec.least('cutoffs.k', items) }}
    {%- elif depth == 'relevant' -%}
    {{ items }}
    {%- elif depth == 'list_length' -%}
    {#- A user without list has no shown place, but an ideal all the same: of one. -#}
    case
            when {{ sqlrec.at_cutoff(plan, 'places', 'evaluated_users') }} > 0
            then {{ sqlrec.least(sqlrec.at_cutoff(plan, 'places', 'evaluated_users'), items) }}
            else {{ sqlrec.least(1, items) }}
        end
    {%- else -%}
    cutoffs.k
    {%- endif -%}
{%- endmacro %}
