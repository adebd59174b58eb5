-- Ideals by name (rows/ideal.sql): expressions over items of the truth, users and their sums.

-- The ideals that metrics name, each with its form, gain, depth and source: users, perfect or sums.
{% macro ideals(plan, used) %}
{% set ideals, repeats = [], 'repeats_are_relevant' in plan.properties.duplicates %}
{% set gain_and_depth = '(?:_(binary|(?:kept_)?linear|(?:kept_)?exponential))?(?:_(relevant|list_length|k))?' %}
{% for start in ['ideal_dcg', 'ideal_late_dcg', 'ideal_rank_dcg', 'ideal_err_', 'ideal_utility_', 'ideal_page_'] %}
{% for name in used if name[:start | length] == start and '_at' not in name %}
{% set form, gain, depth = modules.re.findall('^ideal_(err_.*|utility_.*|page_[0-9]+_[0-9]+|(?:late_|rank_)?dcg)' ~ gain_and_depth ~ '$', name)[0] %}
{% set gain, depth = gain or ('linear' if form[-3:] == 'dcg' else none), depth or 'achievable' %}
{% set alike = plan.depth is not none and form[:5] != 'page_' and (gain == 'binary' or gain and not plan.graded) %}
{% set of_hits = depth == 'list_length' or depth == 'achievable' and (plan.audit or repeats or not plan.k and plan.integers | length < 100) %}
{% set source = 'perfect' if depth == 'k' or alike and of_hits else 'sums' if depth == 'list_length' or repeats else 'users' %}
{% set _ = ideals.append({'name': name, 'form': form, 'gain': gain, 'depth': depth, 'source': source}) %}
{% endfor %}
{% endfor %}
{{ return(ideals) }}
{% endmacro %}

-- The term of an ideal for a rank of the best list: an expression over its row.
{% macro ideal_addend(ideal, rank) -%}
{%- if ideal.gain -%}
{{ sqlrec.discount(ideal.form, rank, sqlrec.gain(ideal.gain) | trim | replace('hit', 'is_relevant')) }}
{%- elif ideal.form[:4] == 'err_' -%}
best_stop_{{ ideal.form[4:] }} / {{ rank }}
{%- else -%}
{%- set half_life, neutral = sqlrec.from_name(ideal.form[8:]).split('_') -%}
{{ sqlrec.utility(half_life | float, neutral | float, rank) }}
{%- endif -%}
{%- endmacro %}

-- The ideals that are summed for each user of the truth: expressions by name.
{% macro ideal_sums_of_users(plan) %}
{% set sums = {} %}
{% set balanced = '[^()]*(?:[(][^()]*(?:[(][^()]*[)][^()]*)*[)][^()]*)*' %}
{% for ideal in plan.ideals if ideal.source == 'users' %}
{% set addend = sqlrec.ideal_addend(ideal, 'best_rank') %}
{% if plan.is_ungraded %}{% set addend = modules.re.sub('^(?:relevance|is_relevant) [*] [(](' ~ balanced ~ ')[)]$', '\\1', addend) | replace('relevance', 'is_relevant') %}{% endif %}
{% for k, end in plan.cutoff_names.items() %}
{% set within = 'case when best_rank <= ' ~ k ~ ' then ' ~ addend ~ ' end' if ideal.depth == 'achievable' and k != plan.whole_list else addend %}
{% set name = ideal.name ~ '_at' ~ end if ideal.depth == 'achievable' and not plan.k else ideal.name %}
{% set _ = sums.update({name: 'nullif(sum(' ~ within ~ '), 0)'}) %}
{% endfor %}
{% endfor %}
{{ return(sums) }}
{% endmacro %}

-- An ideal of an evaluated user: an expression.
{% macro ideal_value(plan, ideal) -%}
{%- if ideal.source == 'perfect' -%}
{{ 'perfect' if ideal.depth == 'achievable' else 'perfect_' ~ ideal.depth }}.{{ ideal.form }}
{%- elif ideal.source == 'sums' -%}
nullif(sums_{{ ideal.depth }}.{{ ideal.gain ~ '_' if ideal.gain }}{{ ideal.form }}, 0)
{%- elif plan.k or ideal.depth == 'relevant' -%}
truth_users.{{ ideal.name }}
{%- else -%}
case population.k{% for k, end in plan.cutoff_names.items() %} when {{ k }} then truth_users.{{ ideal.name }}{{ '_at' ~ end if ideal.depth == 'achievable' }}{% endfor %} end
{%- endif -%}
{%- endmacro %}

-- Joins of the sources with the population. A user without a list still has an ideal list of one rank. If items are
-- counted rows of the truth, the number is unsigned in ClickHouse, which cannot mix it with signed numbers.
{% macro ideal_joins(plan) %}
{% set relevant, items = plan.items_of_user | replace('{}', 'relevant_items'), plan.items_of_user | replace('{}', 'ideal_items') %}
{% set length = sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', 'population.k') %}
{% set depths = {
    'achievable': 'least(population.k, {})', 'k': 'population.k', 'relevant': '{}',
    'list_length': 'case when ' ~ length ~ ' > 0 then least(' ~ length ~ ', cast({} as bigint)) else least(1, cast({} as bigint)) end',
} %}
{% for depth, items_within in depths.items() %}
{% set sources = plan.ideals | selectattr('depth', 'equalto', depth) | map(attribute='source') | list %}
{% if 'perfect' in sources %}
    {% set perfect = 'perfect' if depth == 'achievable' else 'perfect_' ~ depth %}
    left join {{ 'perfect as ' if depth != 'achievable' }}{{ perfect }} on {{ perfect }}.depth = {{ items_within | replace('{}', relevant) }}
{% endif %}
{% if 'sums' in sources %}
    left join ideal_sums as sums_{{ depth }}
        on {{ sqlrec.same(sqlrec.relevant_copy_keys(plan) if 'repeats_are_relevant' in plan.properties.duplicates else ['user_id'], 'sums_' ~ depth, 'population') }}
        and sums_{{ depth }}.depth = {{ items_within | replace('{}', items) }}
{% endif %}
{% endfor %}
{% endmacro %}
