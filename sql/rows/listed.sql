-- Listed: one row per place of a list, down to the deepest cutoff asked.
--
--   model        whose list it is, where several models are evaluated
--   user_id      for whom
--   item_id      what stands there
--   rank         the place, from 1
--   unplaced     1 where the score is missing, or the rank is missing or below 1; else 0
--   tied         1 where the next place has the same score, else 0; only in lists ordered by score
--   misplaced    1 without score, or where the place before has a lower one; only with both
--   score        its score, at most 1e100; only where some metric is made of scores
--   shared_<k>   the discount within a cutoff that the item can expect, if the items with its score came
--                in any order; only where some metric asks, and then places below the deepest cutoff are
--                there too where this is not 0
--   places_above how many places have a higher score; only where what is expected of equal scores is
--                asked, and then all places of a score that begins within the cutoffs are there
--
-- Lists: one row per list.
--
--   places_<k>   its places within a cutoff
--   tied_<k>     1 where places k and k + 1 have the same score; only in lists ordered by score
--   faults       broken rules: no user or model, no item, no score or rank, an item or rank twice, ...

{% macro listed(plan) %}
{% if plan.lists %}
listed as (
    select * from {{ plan.lists }}_listed
),
lists as (
    select * from {{ plan.lists }}_lists
),
{% if plan.duplicates in ['best', 'last'] %}
repeated as (
    select * from {{ plan.lists }}_repeated
),
{% endif %}
{% else %}
{{ sqlrec.ranked_lists(plan, '', plan.recs, plan['keys'], plan.order, plan.check_order, plan.scored) }}
{% endif %}
{% endmacro %}

-- Rows as above, of the lists of some sources: named with `side` in front.
{% macro ranked_lists(plan, side, sources, keys, order, check_order, scored) %}
{% set given = 'score' if order == 'score' else 'given_rank' %}
{% set merged = plan.duplicates in ['best', 'last'] %}
{% set of_truth = plan.listed == 'truth' and side != 'baseline_' %}
{% set recommended = side ~ ('recommended_to_truth' if of_truth else 'recommended') %}
{% set by_row = plan.ties == 'first' or plan.duplicates == 'last' %}
-- Every recommendation.
{{ side }}recommended as (
    {%- for source in sources %}
    {{ 'union all' if not loop.first }}
    {%- if source.unnest %}
    {{ sqlrec.unnested(sqlrec.list_keys(keys, source), source.columns.item_id, 'given_rank', source.relation) | trim }}
    {%- else %}
    select
        {{ sqlrec.list_keys(keys, source) }},
        {{ sqlrec.named(source.columns.item_id, 'item_id') }}
        {%- if order == 'rank' %},
        cast({{ source.columns.rank }} as bigint) as given_rank
        {%- endif %}
        {%- if order == 'score' or check_order or scored %},
        {{ sqlrec.named(sqlrec.score(source), 'score') }}
        {%- endif %}
        {%- if by_row %},
        row_number() over () as row
        {%- endif %}
    from {{ source.relation }}
    {%- if order == 'score' and plan.scores == 'positive' %}
    where {{ sqlrec.score(source) }} > 0
    {%- elif order == 'score' and plan.null_scores == 'drop' %}
    where {{ sqlrec.score(source) }} is not null
    {%- endif %}
    {%- endif %}
    {%- endfor %}
),
{% if of_truth %}
-- The lists of users of the truth.
{{ recommended }} as (
    select *
    from {{ side }}recommended
    where user_id is null or user_id in (select {{ plan.truth.columns.user_id }} from {{ plan.truth.relation }})
),
{% endif %}
{% if merged %}
-- An item counts once in a list, at its {{ plan.duplicates }} place.
{{ side }}distinct_items as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if plan.duplicates == 'last' %}
        arg_max({{ given }}, row) as best_{{ given }},
        {%- else %}
        {{ 'max' if order == 'score' else 'min' }}({{ given }}) as best_{{ given }},
        {%- endif %}
        {%- if (check_order or scored) and order != 'score' %}
        max(score) as score,
        {%- endif %}
        {%- if by_row %}
        min(row) as row,
        {%- endif %}
        count(*) - 1 as repeats
    from {{ recommended }}
    group by {{ sqlrec.names(keys) }}, item_id
),
{% if side != 'baseline_' %}
{{ side }}repeated as (
    {#- Of which segment they are, the user says. #}
    {%- set whose = keys if plan.by else keys | reject('equalto', 'user_id') | list %}
    select {{ whose | join(', ') ~ ', ' if whose }}sum(repeats) as repeated_rows
    from {{ side }}distinct_items
    {{ 'group by ' ~ whose | join(', ') if whose }}
),
{% endif %}
{% set given = 'best_' ~ given %}
{% endif %}
{% set source = side ~ 'distinct_items' if merged else recommended %}
{% set again = sqlrec.follows_itself(plan, keys) | trim if plan.duplicates == 'error' else '' %}
{% set places = side ~ ('places' if again else 'listed') %}
{# What is to be found depends on places below the cutoffs too. #}
{% set depth = none if plan.duplicates in ['outer', 'crossed'] else plan.depth %}
{% set last_place = [depth or plan.whole_list, plan.ends or plan.whole_list] | min %}
{% set by_relevance = plan.ties in ['best', 'worst'] and side != 'baseline_' %}
{% if by_relevance %}
-- What the truth says of each item, which decides between equal scores.
recommended_and_met as (
    select
        {{ sqlrec.taken(keys, source) }},
        {{ source }}.item_id as item_id,
        {{ source }}.{{ given }} as {{ given }},
        coalesce(relevant.relevance, 0) as relevance,
        coalesce(relevant.relevant, 0) as relevant
    from {{ source }}
    left join {{ 'met as ' if plan.truth_duplicates in ['rows', 'summed', 'lines', 'error'] }}relevant
        on relevant.user_id = {{ source }}.user_id
        and relevant.item_id = {{ source }}.item_id
),
{% set source = 'recommended_and_met' %}
{% endif %}
{% if order == 'score' %}
{% set shared = plan.ties == 'shared' and side != 'baseline_' %}
{% set expected = plan.ties == 'expected' and side != 'baseline_' %}
{{ sqlrec.ranked(plan, side, source, keys, given, scored or shared, expected, last_place) }}
{% if shared %}
-- Items with equal scores share what their places are worth.
{{ side }}sharing as (
    select
        {{ sqlrec.names(keys) }}, item_id, {{ 'score, ' if scored }}rank, unplaced, tied
        {%- for k in plan.cutoffs %},
        {{ sqlrec.mean('case when rank <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'rank') ~ ' else 0 end') }}
            over (partition by {{ sqlrec.names(keys) }}, score) as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
    from {{ side }}ranked
    {%- if plan.ends %}
    where rank <= {{ plan.ends }}
    {%- endif %}
),
{% endif %}
-- The places that the cutoffs reach.
{{ places }} as (
    select
        {{ sqlrec.names(keys) }}, item_id, {{ 'score, ' if scored }}rank, unplaced, tied
        {%- if shared %}
        {%- for k in plan.cutoffs %},
        {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
        {%- endif %}
        {%- if expected %},
        places_above
        {%- endif %}
    from {{ side }}{{ 'sharing' if shared else 'ranked' }}
    {%- if expected and last_place < plan.whole_list %}
    where places_above < {{ last_place }}
    {%- elif last_place < plan.whole_list %}
    where rank <= {{ last_place }}{{ ' or ' ~ sqlrec.column_at(plan, 'shared', plan.depth) ~ ' > 0' if shared and plan.depth == last_place }}
    {%- endif %}
),
{% else %}
-- The places that the cutoffs reach.
{{ places }} as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if scored %}
        score,
        {%- endif %}
        {{ given }} as rank,
        case when {{ given }} >= 1 then 0 else 1 end as unplaced
        {%- if check_order %},
        case
            when score is null
                or lag(score) over (
                    partition by {{ sqlrec.names(keys) }}
                    order by {{ given }} asc, {{ 'row asc' if plan.ties == 'first' else sqlrec.by_item('asc') }}
                ) < score
            then 1
            else 0
        end as misplaced
        {%- endif %}
    from {{ source }}
    {%- if last_place < plan.whole_list %}
    where {{ given }} <= {{ last_place }} or {{ given }} is null
    {%- endif %}
),
{% endif %}
{% if again %}
-- In the order of items an item that is in a list twice follows itself; below the cutoff it may.
{{ side }}listed as (
    select *, {{ again }} as again
    from (select * from {{ places }} order by {{ sqlrec.names(keys | reverse) }}, item_id{{ ', rank' if order == 'score' and plan.ties == 'expected' }}) as in_order
),
{% endif %}
{# Ranks that are made here leave no place out. #}
{% set dense = order == 'score' and not shared %}
{{ side }}lists as (
    select
        {{ sqlrec.names(keys) }},
        {%- for k in plan.cutoffs %}
        {{ sqlrec.places_within(k, last_place, dense) }} as {{ sqlrec.column_at(plan, 'places', k) }},
        {%- endfor %}
        {%- if order == 'score' and side != 'baseline_' %}
        {%- for k in plan.cutoffs %}
        {{ sqlrec.one_at(k, 'tied', last_place) }} as {{ sqlrec.column_at(plan, 'tied', k) }},
        {%- endfor %}
        {%- endif %}
        case when user_id is null {{ 'or model is null ' if 'model' in keys }}then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {%- if plan.duplicates == 'error' %}
        + {{ 'sum(again)' if again else 'count(item_id) - count(distinct item_id)' }}
        {%- endif %}
        {%- if order == 'rank' %}
        + {{ sqlrec.repeated_ranks(last_place) }}
        {%- endif %}
        {%- if order == 'rank' or plan.null_scores == 'error' %}
        + sum(unplaced)
        {%- endif %}
        {%- if check_order %}
        + sum(misplaced)
        {%- endif %}
        {%- if scored %}
        + sum({{ sqlrec.unscored(plan, order) }})
        {%- endif %} as faults
    from {{ side }}listed
    {%- if order == 'score' and plan.ties == 'expected' and side != 'baseline_' and last_place < plan.whole_list %}
    where rank <= {{ last_place }}
    {%- endif %}
    group by {{ sqlrec.names(keys) }}
),
{% endmacro %}

-- The places of items with scores. The order is total: what the score leaves open, the item decides.
{% macro ranked(plan, side, source, keys, given, scored, expected, last_place) -%}
{{ adapter.dispatch('ranked', 'sqlrec')(plan, side, source, keys, given, scored, expected, last_place) }}
{%- endmacro %}
{% macro default__ranked(plan, side, source, keys, given, scored, expected, last_place) %}
{% set by_score = 'partition by ' ~ sqlrec.names(keys) ~ ' order by ' ~ sqlrec.by_score(plan, given) %}
{% set window = by_score ~ ', ' ~ sqlrec.among_equals(plan, side) %}
{{ side }}ranked as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if scored %}
        {{ sqlrec.named(given, 'score') }},
        {%- endif %}
        row_number() over ({{ window }}) as rank,
        {%- if expected %}
        rank() over ({{ by_score }}) - 1 as places_above,
        {%- endif %}
        case when {{ given }} is null then 1 else 0 end as unplaced,
        case
            when lead({{ given }}) over ({{ window }}) = {{ given }}
            then 1
            else 0
        end as tied
    from {{ source }}
),
{% endmacro %}

-- DuckDB sorts by the score alone, and sorts again what that leaves open: a quarter less work where few
-- scores are equal.
{% macro duckdb__ranked(plan, side, source, keys, given, scored, expected, last_place) %}
{% set by_score = 'partition by ' ~ sqlrec.names(keys | reverse) ~ ' order by ' ~ sqlrec.by_score(plan, given) %}
{% set equals = 'partition by ' ~ sqlrec.names(keys) ~ ', first_place' %}
{% set window = equals ~ ' order by ' ~ sqlrec.among_equals(plan, side) %}
{{ side }}scored as (
    select
        *,
        rank() over ({{ by_score }}) as first_place,
        row_number() over ({{ by_score }}) as some_place,
        coalesce(lead({{ given }}) over ({{ by_score }}) = {{ given }}, {{ given }} is null) as before_equal
    from {{ source }}
),
{{ side }}ranked as (
    {%- for equal in [false, true] %}
    {{ 'union all' if equal }}
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if scored %}
        {{ sqlrec.named(given, 'score') }},
        {%- endif %}
        {{ 'first_place - 1 + row_number() over (' ~ window ~ ')' if equal else 'first_place' }} as rank,
        {%- if expected %}
        first_place - 1 as places_above,
        {%- endif %}
        case when {{ given }} is null then 1 else 0 end as unplaced,
        {%- if equal %}
        case
            when {{ given }} is not null and row_number() over ({{ window }}) < count(*) over ({{ equals }})
            then 1
            else 0
        end as tied
        {%- else %}
        0 as tied
        {%- endif %}
    from {{ side }}scored
    where {{ '(first_place < some_place or before_equal)' if equal else 'first_place = some_place and not before_equal' }}
    {%- if last_place < plan.whole_list %}
        and first_place <= {{ last_place }}
    {%- endif %}
    {%- endfor %}
),
{% endmacro %}

-- The column of a list that belongs to a cutoff: `places` or `tied`.
{% macro column_at(plan, name, k) -%}
{{ name }}_{{ 'all' if k == plan.whole_list else k }}
{%- endmacro %}

-- What a table with such columns has at k: an expression over it and the cutoffs.
{% macro at_cutoff(plan, name, table, k='cutoffs.k') -%}
case {{ k }}{% for cutoff in plan.cutoffs %} when {{ cutoff }} then {{ table }}.{{ sqlrec.column_at(plan, name, cutoff) }}{% endfor %} end
{%- endmacro %}

-- 1 where a score is no number to count with, else 0: too large to be added up, or missing where the
-- rank orders the list, so that no other rule finds it.
{% macro unscored(plan, order) -%}
case when score between {{ sqlrec.double(-1e100) }} and {{ sqlrec.double(1e100) }}{{ ' or score is null' if order == 'score' or plan.null_scores != 'error' }} then 0 else 1 end
{%- endmacro %}

{% macro score(source) -%}
{{ sqlrec.number(source.columns.score) if source.floating.score else source.columns.score }}
{%- endmacro %}

-- The model of rows of recs, and the user, as entries of a select.
{% macro list_keys(keys, source) -%}
{% if 'model' in keys -%}
{{ sqlrec.model(source) }} as model,
        {% endif -%}
{{ sqlrec.named(source.columns.user_id, 'user_id') }}
{%- endmacro %}

{% macro model(source) -%}
{%- set model = source.columns.model if source.model is not none else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models else model }}
{%- endmacro %}

-- What stands before what, of items with equal scores.
{% macro among_equals(plan, side) -%}
{%- if plan.ties in ['best', 'worst'] and side != 'baseline_' -%}
{%- set direction = 'desc' if plan.ties == 'best' else 'asc' -%}
relevance {{ direction }}, relevant {{ direction }}, {% endif -%}
{%- if plan.ties == 'first' -%}
row asc
{%- elif plan.ties in ['text_asc', 'text_desc'] -%}
{{ sqlrec.by_text(plan.ties[5:]) }}
{%- else -%}
{{ sqlrec.by_item('desc' if plan.ties == 'item_desc' else 'asc') }}
{%- endif %}
{%- endmacro %}

{% macro by_score(plan, given) -%}
{#- Where a missing score is an error it comes first, so that every cutoff meets it. #}
{{- sqlrec.descending(given, 'last' if plan.null_scores == 'last' else 'first') }}
{%- endmacro %}
