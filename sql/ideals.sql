-- Ideals by name (rows/ideal.sql): expressions over items of the truth, users and their sums.

-- The ideals that metrics name. Each has a form, a gain, a depth and a source, which is users,
-- perfect or sums; its sums for a user of the truth, as expressions by name; and its value for an
-- evaluated user, as an expression.
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
{% set ideal = {'name': name, 'form': form, 'gain': gain, 'depth': depth, 'source': source} %}
{% set sums, by_cutoff = sqlrec.ideal_sums_of_user(plan, ideal) if source == 'users' else {}, [] %}
{% for k, end in plan.cutoff_names.items() if name ~ '_at' ~ end in sums %}{% set _ = by_cutoff.append(' when ' ~ k ~ ' then truth_users.' ~ name ~ '_at' ~ end) %}{% endfor %}
{% set values = {
    'perfect': ('perfect' if depth == 'achievable' else 'perfect_' ~ depth) ~ '.' ~ form,
    'sums': 'nullif(sums_' ~ depth ~ '.' ~ (gain ~ '_' if gain else '') ~ form ~ ', 0)',
    'users': 'case population.k' ~ by_cutoff | join ~ ' end' if by_cutoff else 'truth_users.' ~ name,
} %}
{% set _ = ideals.append(dict(ideal, sums=sums, value=values[source])) %}
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

-- The sums of an ideal for a user of the truth: expressions by name.
{% macro ideal_sums_of_user(plan, ideal) %}
{% set sums, addend = {}, sqlrec.ideal_addend(ideal, 'best_rank') %}
{% set balanced = '[^()]*(?:[(][^()]*(?:[(][^()]*[)][^()]*)*[)][^()]*)*' %}
{% if plan.is_ungraded %}{% set addend = modules.re.sub('^(?:relevance|is_relevant) [*] [(](' ~ balanced ~ ')[)]$', '\\1', addend) | replace('relevance', 'is_relevant') %}{% endif %}
{% for k, end in plan.cutoff_names.items() %}
{% set within = 'case when best_rank <= ' ~ k ~ ' then ' ~ addend ~ ' end' if ideal.depth == 'achievable' and k != plan.whole_list else addend %}
{% set name = ideal.name ~ '_at' ~ end if ideal.depth == 'achievable' and not plan.k else ideal.name %}
{% set _ = sums.update({name: 'nullif(sum(' ~ within ~ '), 0)'}) %}
{% endfor %}
{{ return(sums) }}
{% endmacro %}
