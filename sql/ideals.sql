-- Ideals by name (rows/ideal.sql): expressions over items of the truth, users and their sums.

-- The ideals that metrics name.
{% macro ideal_names(used) %}
{% set names = [] %}
{% for start in ['ideal_dcg', 'ideal_late_dcg', 'ideal_rank_dcg', 'ideal_err_', 'ideal_utility_', 'ideal_page_'] %}
{% for name in used if name[:start | length] == start and '_at' not in name %}{% set _ = names.append(name) %}{% endfor %}
{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The form, gain and depth of an ideal.
{% macro ideal_parts(name) %}
{% set gain_and_depth = '(?:_(binary|(?:kept_)?linear|(?:kept_)?exponential))?(?:_(relevant|list_length|k))?' %}
{% set form, gain, depth = modules.re.findall('^ideal_(err_.*|utility_.*|page_[0-9]+_[0-9]+|(?:late_|rank_)?dcg)' ~ gain_and_depth ~ '$', name)[0] %}
{{ return([form, gain or ('linear' if form[-3:] == 'dcg' else none), depth or 'achievable']) }}
{% endmacro %}

-- The name of the ideal DCG of a form, `dcg`, `late_dcg` or `rank_dcg`.
{% macro ideal_dcg(form, gain, depth) -%}
ideal_{{ form }}{{ '_' ~ gain if gain != 'linear' }}{{ '_' ~ depth if depth != 'achievable' }}
{%- endmacro %}

-- The source of an ideal: users, perfect or sums.
{% macro ideal_source(plan, name) %}
{% set form, gain, depth = sqlrec.ideal_parts(name) %}
{% set alike = plan.depth is not none and form[:5] != 'page_' and (gain == 'binary' or gain and not plan.graded) %}
{% if depth == 'k' or alike and depth == 'list_length' %}{{ return('perfect') }}{% endif %}
{% if alike and depth == 'achievable' %}
{% set is_shorter = not plan.k and sqlrec.counting(plan.largest_k) | trim | length < 100 %}
{% if plan.audit or 'repeats_are_relevant' in plan.properties.duplicates or is_shorter %}{{ return('perfect') }}{% endif %}
{% endif %}
{{ return('sums' if depth == 'list_length' or 'repeats_are_relevant' in plan.properties.duplicates else 'users') }}
{% endmacro %}

-- The term of an ideal for a rank of the best list: an expression over its row.
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

-- An ideal of a user of the truth within a cutoff, or for all cutoffs.
{% macro ideal_at(plan, name, k) -%}
{{ name }}{{ '_at' ~ ('all' if k == plan.whole_list else k) if not plan.k and sqlrec.ideal_parts(name)[2] == 'achievable' }}
{%- endmacro %}

-- The columns best_stop_<max_grade> that ideals of users are summed from.
{% macro stops_of_ideals(plan, used) %}
{% set names = [] %}
{% for name in sqlrec.ideal_names(used) if name[:10] == 'ideal_err_' and sqlrec.ideal_source(plan, name) == 'users' %}
{% set _ = names.append('best_stop_' ~ sqlrec.ideal_parts(name)[0][4:]) %}
{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The ideals that are summed for each user of the truth: expressions by name.
{% macro ideal_sums_of_users(plan, used) %}
{% set sums = {} %}
{% set balanced = '[^()]*(?:[(][^()]*(?:[(][^()]*[)][^()]*)*[)][^()]*)*' %}
{% for name in sqlrec.ideal_names(used) if sqlrec.ideal_source(plan, name) == 'users' %}
{% for k in plan.cutoffs %}
{% set addend = sqlrec.ideal_addend(name, 'best_rank') %}
{% if plan.is_ungraded %}{% set addend = modules.re.sub('^(?:relevance|is_relevant) [*] [(](' ~ balanced ~ ')[)]$', '\\1', addend) | replace('relevance', 'is_relevant') %}{% endif %}
{% if sqlrec.ideal_parts(name)[2] == 'achievable' and k != plan.whole_list %}
{% set addend = 'case when best_rank <= ' ~ k ~ ' then ' ~ addend ~ ' end' %}
{% endif %}
{% set _ = sums.update({sqlrec.ideal_at(plan, name, k): 'nullif(sum(' ~ addend ~ '), 0)'}) %}
{% endfor %}
{% endfor %}
{{ return(sums) }}
{% endmacro %}

-- The ideals of evaluated users: expressions by name.
{% macro ideal_columns(plan, used) %}
{% set columns = {} %}
{% for name in sqlrec.ideal_names(used) %}
{% set form, gain, depth = sqlrec.ideal_parts(name) %}
{% set source = sqlrec.ideal_source(plan, name) %}
{% if source == 'perfect' %}
{% set _ = columns.update({name: sqlrec.perfect_alias(depth) ~ '.' ~ form}) %}
{% elif source == 'sums' %}
{% set _ = columns.update({name: 'nullif(sums_' ~ depth ~ '.' ~ (gain ~ '_' if gain else '') ~ form ~ ', 0)'}) %}
{% else %}
{% set cases = [] %}
{% for k in plan.cutoffs %}{% set _ = cases.append(' when ' ~ k ~ ' then truth_users.' ~ sqlrec.ideal_at(plan, name, k)) %}{% endfor %}
{% set _ = columns.update({name: 'truth_users.' ~ name if plan.k or depth == 'relevant' else 'case population.k' ~ cases | join ~ ' end'}) %}
{% endif %}
{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- The name under which `perfect` is joined for a depth.
{% macro perfect_alias(depth) %}{{ 'perfect' if depth == 'achievable' else 'perfect_' ~ depth }}{% endmacro %}

-- Joins of the sources with the population.
{% macro ideal_joins(plan, used) %}
{% set found = [] %}
{% for name in sqlrec.ideal_names(used) %}
{% set _ = found.append([sqlrec.ideal_source(plan, name), sqlrec.ideal_parts(name)[2]]) %}
{% endfor %}
{% for depth in ['achievable', 'k', 'relevant', 'list_length'] %}
{% if ['perfect', depth] in found %}
    left join {{ 'perfect as ' if depth != 'achievable' }}{{ sqlrec.perfect_alias(depth) }} on {{ sqlrec.perfect_alias(depth) }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'relevant_items')) }}
{% endif %}
{% if ['sums', depth] in found %}
    left join ideal_sums as sums_{{ depth }}
        on {{ sqlrec.same(sqlrec.relevant_copy_keys(plan) if 'repeats_are_relevant' in plan.properties.duplicates else ['user_id'], 'sums_' ~ depth, 'population') }}
        and sums_{{ depth }}.depth = {{ sqlrec.ideal_depth(plan, depth, sqlrec.items_of_user(plan, 'ideal_items')) }}
{% endif %}
{% endfor %}
{% endmacro %}

-- The number of items of an ideal: an expression over an evaluated user with this number of items.
{% macro ideal_depth(plan, depth, items) -%}
    {%- set k = 'population.k' -%}
    {%- if depth == 'achievable' -%}
    {{ sqlrec.least(k, items) }}
    {%- elif depth == 'list_length' -%}
    {#- A user without a list still has an ideal, of one rank. If items are counted rows of the truth,
        the number is unsigned in ClickHouse, which cannot mix it with signed numbers. -#}
    {%- set signed = 'cast(' ~ items ~ ' as bigint)' -%}
    case
            when {{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', 'population.k') }} > 0
            then {{ sqlrec.least(sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', 'population.k'), signed) }}
            else {{ sqlrec.least(1, signed) }}
        end
    {%- else -%}
    {{ items if depth == 'relevant' else k }}
    {%- endif -%}
{%- endmacro %}
