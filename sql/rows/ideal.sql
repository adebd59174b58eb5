-- Ideal: what the best list that a user could have been shown is worth. A metric asks for it by the
-- name of its column:
--
--   ideal_dcg_<gain>_<depth>        its DCG
--   ideal_late_dcg_<gain>_<depth>   its DCG with the discount that starts late
--   ideal_rank_dcg_<gain>_<depth>   its DCG with the reciprocal of the place as discount
--
--     gain   binary        1 for a relevant item
--            linear        its relevance, where the name leaves the gain out
--            exponential   2^relevance - 1
--            kept_linear, kept_exponential   the same of a relevant item, and 0 of others
--     depth  achievable    the best k of the user's items, or all where there are fewer, where the name
--                          leaves the depth out
--            relevant      all of the user's items, whatever k
--            list_length   the best as many as were shown within k
--            k             k items of relevance 1, whether the user has them or not
--
--   ideal_err_<max_grade>                   its expected reciprocal rank
--   ideal_utility_<half_life>_<neutral>     its utility for a user who loses patience
--
--   ideal_page_<rows>_<columns>_<gain>      its DCG on a page of so many rows and columns
--
--     each of the best k of the user's items; the numbers are written by sqlrec.in_name
--
-- Three sources. What does not depend on the list is summed for each user of the truth, from its best_rank.
-- Where all gains are 1, the ideal depends on its depth alone: `perfect` holds it for each depth, which takes
-- less than to number the truth, and less text where there are several cutoffs and the engine counts in a line.
-- Otherwise `ideal_sums` holds it for each user and depth.

-- The ideals that metrics name.
{% macro ideal_names(used) %}
{% set names = [] %}
{% for start in ['ideal_dcg', 'ideal_late_dcg', 'ideal_rank_dcg', 'ideal_err_', 'ideal_utility_', 'ideal_page_'] %}
{% for name in sqlrec.starting(used, start) if '_at' not in name %}{% set _ = names.append(name) %}{% endfor %}
{% endfor %}
{{ return(names) }}
{% endmacro %}

-- What an ideal is made of: its form, gain and depth.
{% macro ideal_parts(name) %}
{% set gain_and_depth = '(?:_(binary|(?:kept_)?linear|(?:kept_)?exponential))?(?:_(relevant|list_length|k))?' %}
{% set form, gain, depth = modules.re.findall('^ideal_(err_.*|utility_.*|page_[0-9]+_[0-9]+|(?:late_|rank_)?dcg)' ~ gain_and_depth ~ '$', name)[0] %}
{{ return([form, gain or ('linear' if form[-3:] == 'dcg' else none), depth or 'achievable']) }}
{% endmacro %}

-- The name of the ideal DCG of a form, `dcg`, `late_dcg` or `rank_dcg`.
{% macro ideal_dcg(form, gain, depth) -%}
ideal_{{ form }}{{ '_' ~ gain if gain != 'linear' }}{{ '_' ~ depth if depth != 'achievable' }}
{%- endmacro %}

-- Where an ideal comes from: users, perfect or sums.
{% macro ideal_source(plan, name) %}
{% set form, gain, depth = sqlrec.ideal_parts(name) %}
{% set alike = plan.depth is not none and form[:5] != 'page_' and (gain == 'binary' or gain and not plan.graded) %}
{% if depth == 'k' or alike and depth == 'list_length' %}{{ return('perfect') }}{% endif %}
{% if alike and depth == 'achievable' %}
{% set is_shorter = not plan.k and sqlrec.counting(plan.largest_k) | trim | length < 100 %}
{% if plan.audit or sqlrec.seeks_again(plan) or is_shorter %}{{ return('perfect') }}{% endif %}
{% endif %}
{{ return('sums' if depth == 'list_length' or sqlrec.seeks_again(plan) else 'users') }}
{% endmacro %}

-- What the item at a place of the best list adds to an ideal: an expression over its row.
{% macro ideal_addend(name, rank) -%}
{%- set form, gain, depth = sqlrec.ideal_parts(name) -%}
{%- set gain = sqlrec.gain(gain) | trim | replace('hit', 'is_relevant') if gain -%}
{%- if gain -%}
{{ sqlrec.discount(form, rank, gain) }}
{%- elif form[:4] == 'err_' -%}
best_stop_{{ form[4:] }} / {{ rank }}
{%- else -%}
{%- set half_life, neutral = sqlrec.from_name(form[8:]).split('_') -%}
{{ sqlrec.utility(half_life | float, neutral | float, rank) }}
{%- endif -%}
{%- endmacro %}

-- An ideal of a user of the truth within a cutoff, or whatever the cutoff.
{% macro ideal_at(plan, name, k) -%}
{{ name }}{{ '_at' ~ ('all' if k == plan.whole_list else k) if not plan.k and sqlrec.ideal_parts(name)[2] == 'achievable' }}
{%- endmacro %}

-- The ideals that are summed for each user of the truth.
{% macro ideal_sums_of_users(plan, used, alone) %}
{% set sums = {} %}
{% set balanced = '[^()]*(?:[(][^()]*(?:[(][^()]*[)][^()]*)*[)][^()]*)*' %}
{% for name in sqlrec.ideal_names(used) if sqlrec.ideal_source(plan, name) == 'users' %}
{% for k in plan.cutoffs %}
{% set addend = sqlrec.ideal_addend(name, 'best_rank') %}
{% if sqlrec.is_ungraded(plan) %}{% set addend = modules.re.sub('^(?:relevance|is_relevant) [*] [(](' ~ balanced ~ ')[)]$', '\\1', addend) | replace('relevance', 'is_relevant') %}{% endif %}
{% if sqlrec.ideal_parts(name)[2] == 'achievable' and k != plan.whole_list %}
{% set addend = 'case when best_rank <= ' ~ k ~ ' then ' ~ addend ~ ' end' %}
{% endif %}
{% set _ = sums.update({sqlrec.ideal_at(plan, name, k): 'sum(' ~ addend ~ ')' if alone and name[:14] != 'ideal_utility_' else 'nullif(sum(' ~ addend ~ '), 0)'}) %}
{% endfor %}
{% endfor %}
{{ return(sums) }}
{% endmacro %}

-- The ideals of evaluated users.
{% macro ideal_columns(plan, used) %}
{% set columns %}
    {% for name in sqlrec.ideal_names(used) %}
    {% set form, gain, depth = sqlrec.ideal_parts(name) %}
    {% set source = sqlrec.ideal_source(plan, name) %}
    {% if source == 'perfect' %}
    perfect_{{ depth }}.{{ form }} as {{ name }},
    {% elif source == 'sums' %}
    nullif(sums_{{ depth }}.{{ gain ~ '_' if gain }}{{ form }}, 0) as {{ name }},
    {% elif plan.k or depth == 'relevant' %}
    truth_users.{{ name }},
    {% else %}
    case cutoffs.k{% for k in plan.cutoffs %} when {{ k }} then truth_users.{{ sqlrec.ideal_at(plan, name, k) }}{% endfor %} end as {{ name }},
    {% endif %}
    {% endfor %}
{% endset %}
{{ return(sqlrec.columns(columns)) }}
{% endmacro %}

{% macro ideal_rows(plan, used) %}
{% set ideals = {} %}
{% for name in sqlrec.ideal_names(used) %}
{% set _ = ideals.setdefault(sqlrec.ideal_source(plan, name), []).append(name) %}
{% endfor %}
{% if 'perfect' in ideals %}
-- The DCG of a list of nothing but hits.
perfect as (
    select
        number as depth
        {%- for form in ['dcg', 'late_dcg', 'rank_dcg'] if sqlrec.starting(ideals.perfect, 'ideal_' ~ form) %},
        sum({{ sqlrec.discount(form, 'number') }}) over (
            order by number asc rows between unbounded preceding and current row
        ) as {{ form }}
        {%- endfor %}
    from ({{ sqlrec.counting(plan.largest_k) }}) as numbers
),
{% endif %}
{% if 'sums' in ideals %}
{% set of_lists = sqlrec.seeks_again(plan) %}
{% set whose = sqlrec.names(sqlrec.sought_keys(plan) if of_lists else ['user_id']) %}
{% set best_first = 'partition by ' ~ whose ~ ' order by relevance desc, item_id asc' %}
-- The user's items from best to worst.
ideal_lists as (
    select {{ whose }}, relevance, is_relevant,
        {%- for name in ideals.sums if name[:10] == 'ideal_err_' %}
        {{ sqlrec.stop('(' ~ sqlrec.enough(sqlrec.from_name(name[10:]) | float, 'relevance') ~ ')', best_first) }} as best_stop_{{ name[10:] }},
        {%- endfor %}
        row_number() over ({{ best_first }}) as rank
    from {{ 'sought' if of_lists else 'relevant' }}
    where relevance > 0 or is_relevant > 0
),
-- What the best list down to each depth is worth.
ideal_sums as (
    select {{ whose }}, rank as depth
        {%- for name in ideals.sums %}
        {%- set form, gain, depth = sqlrec.ideal_parts(name) %},
        {{ sqlrec.so_far(sqlrec.ideal_addend(name, 'rank'), whose, 'rank') }} as {{ gain ~ '_' if gain }}{{ form }}
        {%- endfor %}
    from ideal_lists
),
{% endif %}
{% endmacro %}

-- Joins of the sources with evaluated users.
{% macro ideal_joins(plan, used, whose) %}
{% set named = sqlrec.identifiers(sqlrec.ideal_columns(plan, used).values() | join(' ')) %}
{%- call sqlrec.kept_joins(named) %}
    {%- for depth in ['achievable', 'k', 'relevant', 'list_length'] if sqlrec.some_of(['perfect_' ~ depth, 'sums_' ~ depth], named) %}
    {%- set at = 'sums_' ~ depth %}
    left join perfect as perfect_{{ depth }} on perfect_{{ depth }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'relevant_items')) }}
    left join ideal_sums as {{ at }}
        on {{ sqlrec.same_list(plan, at, whose, 'k' in sqlrec.sought_keys(plan)) if sqlrec.seeks_again(plan) else at ~ '.user_id = ' ~ whose ~ '.user_id' }}
        and {{ at }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'ideal_items')) }}
    {%- endfor %}
{%- endcall %}
{% endmacro %}

-- How many places an ideal has: an expression over an evaluated user, whose list has so many items.
{% macro ideal_depth(plan, depth, items) -%}
    {%- set k = sqlrec.k_of(plan, 'cutoffs') -%}
    {%- if depth == 'achievable' -%}
    {{ sqlrec.least(k, items) }}
    {%- elif depth == 'list_length' -%}
    {#- A user without a list has no shown place, but an ideal all the same: of one. Where items are rows of the truth
        that are counted, ClickHouse has a number without a sign, which it puts beside no other. -#}
    {%- set signed = 'cast(' ~ items ~ ' as bigint)' -%}
    case
            when {{ sqlrec.at_cutoff(plan, 'places', 'list_lengths') }} > 0
            then {{ sqlrec.least(sqlrec.at_cutoff(plan, 'places', 'list_lengths'), signed) }}
            else {{ sqlrec.least(1, signed) }}
        end
    {%- else -%}
    {{ items if depth == 'relevant' else k }}
    {%- endif -%}
{%- endmacro %}
