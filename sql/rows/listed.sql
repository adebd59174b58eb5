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
--   violations   broken rules: no user or model, no item, no score or rank, an item or rank twice, ...

{% macro listed(plan, used) %}
{{ sqlrec.ranked_lists(plan, '', plan.recs, plan.list_keys, plan.order, plan.check_order, plan.scored, used) if not plan.lists }}
{% endmacro %}

{% macro list_lengths(plan, used) %}
{{ sqlrec.lengths_of_lists(plan, '', plan.list_keys, plan.order, plan.check_order, plan.scored, used) if not plan.lists }}
{% endmacro %}

-- The deepest place that cutoffs reach. With some rules, what is to be found depends on places below them too.
{% macro last_place(plan) %}
{% set depth = none if plan.duplicates in ['outer', 'crossed'] else plan.depth %}
{{ return([depth or plan.whole_list, plan.ends or plan.whole_list] | min) }}
{% endmacro %}

-- Places as above, of the lists of some sources: named with `side` in front.
{% macro ranked_lists(plan, side, sources, keys, order, check_order, scored, used) %}
{% set given = 'score' if order == 'score' else 'given_rank' %}
{% set merged = plan.duplicates in ['best', 'first', 'last'] %}
{% set of_truth = plan.listed == 'truth' and side != 'baseline_' %}
{% set by_row = plan.ties == 'first' or plan.duplicates in ['first', 'last'] %}
{% set by_relevance = plan.ties in ['best', 'worst'] and side != 'baseline_' %}
{# One table that is read as it stands needs no query of its own. #}
{% set direct = not plan.audit and side ~ 'recommended' not in used and sources | length == 1 and not sources[0].unnest and not merged and not by_row and not of_truth and not by_relevance and plan.null_scores != 'drop' %}
{% if not direct %}
{{ sqlrec.recommended(plan, side, sources, keys, order, check_order, scored, used, by_row, of_truth) }}
{% endif %}
{% set source = side ~ ('recommended_to_truth' if of_truth else 'recommended') %}
{% if merged %}
{{ sqlrec.distinct_items(plan, side, keys, order, check_order, scored, by_row, given, source) }}
{% set given = 'best_' ~ given %}
{% set source = side ~ 'distinct_items' %}
{% endif %}
{% if by_relevance %}
{{ sqlrec.recommended_and_met(plan, keys, given, source, scored) }}
{% set source = 'recommended_and_met' %}
{% endif %}
{% set again = sqlrec.follows_itself(plan, keys) | trim if 'again' in used and plan.duplicates == 'error' else '' %}
{% set places = side ~ ('places' if again else 'listed') %}
{% set last_place = sqlrec.last_place(plan) %}
{% if direct %}
{{ sqlrec.listed_directly(plan, side, sources[0], keys, order, used) }}
{% elif order == 'score' %}
{{ sqlrec.ranked_by_score(plan, side, source, keys, given, scored, places, used) }}
{% else %}
-- The places that the cutoffs reach.
{{ places }} as (
    select {{ sqlrec.names(keys) }}, item_id{{ ', score' if scored }}, {{ given }} as rank
        {{- sqlrec.chosen({
            'unplaced': 'case when ' ~ given ~ ' >= 1 then 0 else 1 end',
            'misplaced': sqlrec.misplaced(plan, keys, given) | trim if check_order else none,
        }, used) }}
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
{% endmacro %}

-- 1 where a place has no score, or a higher one than the place before: an expression.
{% macro misplaced(plan, keys, given) %}
case
            when score is null
                or lag(score) over (
                    partition by {{ sqlrec.names(keys) }}
                    order by {{ given }} asc, {{ sqlrec.by_row(plan) if plan.ties == 'first' else sqlrec.by_item('asc') }}
                ) < score
            then 1
            else 0
        end
{% endmacro %}

-- The places of one table, as it stands.
{% macro listed_directly(plan, side, source, keys, order, used) %}
{% set columns = source.columns %}
{% set list = ([sqlrec.model(plan, source)] if 'model' in keys else []) + [columns.user_id] %}
{% set by_score = 'partition by ' ~ list | join(', ') ~ ' order by ' ~ sqlrec.by_score(plan, columns.score) %}
{% set rank = 'row_number() over (' ~ by_score ~ ', ' ~ sqlrec.among_equals(plan, side, columns.item_id) ~ ')' if order == 'score' else columns.rank %}
-- {{ ('The baseline' ~ "'s lists" if side else 'Lists') ~ (' from the best score down; equal scores by item' if order == 'score' else ' by rank') }}.
{% set shared = sqlrec.shares_places(plan) and side != 'baseline_' %}
{{ side }}{{ 'ranked' if plan.ends or shared else 'listed' }} as (
    select {{ sqlrec.list_keys(plan, keys, source) }}, {{ sqlrec.named(columns.item_id, 'item_id') }}
        {{- sqlrec.chosen({
            'score': columns.score,
            'rank': rank,
            'places_above': 'rank() over (' ~ by_score ~ ') - 1',
        }, used + ['rank'] + (['score'] if shared else [])) }}
    from {{ source.relation }}
    {{ 'where ' ~ columns.score ~ ' > 0' if order == 'score' and plan.scores == 'positive' }}
),
{% if shared %}
{{ sqlrec.shared_places_of_lists(plan, side, keys, used, 'listed') }}
{% elif plan.ends %}
{{ side }}listed as (
    select *
    from {{ side }}ranked
    where rank <= {{ plan.ends }}
),
{% endif %}
{% endmacro %}

-- Whether a column orders the rows of lists, and not where they stand.
{% macro has_row_order(plan) %}{{ return(plan.recs[0].columns.order_by is not none) }}{% endmacro %}

-- The order of rows of a list; where a column leaves it open, that of items.
{% macro by_row(plan) -%}
{%- if sqlrec.has_row_order(plan) -%}
case when row_order is null then 1 else 0 end asc, row_order asc, {{ sqlrec.items_in_order(plan) }}
{%- else -%}
row_order asc
{%- endif -%}
{%- endmacro %}

-- 1 for the row of an item that counts, by the column that orders rows; of rows alike in it, the best.
{% macro number_of_repeat(plan, source, keys, order) %}
{% set columns = source.columns %}
{% set list = ([sqlrec.model(plan, source)] if 'model' in keys and source.model is none else []) + [columns.user_id] %}
row_number() over (
            partition by {{ list | join(', ') }}, {{ columns.item_id }}
            order by case when {{ columns.order_by }} is null then 1 else 0 end asc, {{ columns.order_by }} {{ 'asc' if plan.duplicates == 'first' else 'desc' }},
                {{ sqlrec.descending(sqlrec.score(plan, source), 'last') if order == 'score' else columns.rank ~ ' asc' }}
        )
{% endmacro %}

{% macro recommended(plan, side, sources, keys, order, check_order, scored, used, by_row, of_truth) %}
-- Every recommendation.
{{ side }}recommended as (
    {%- for source in sources %}
    {{ 'union all' if not loop.first }}
    {%- if source.unnest %}
    {{ sqlrec.unnested(sqlrec.list_keys(plan, keys, source), source.columns.item_id, 'given_rank', source.relation) | trim }}
    {%- else %}
    select {{ sqlrec.list_keys(plan, keys, source) }}, {{ sqlrec.named(source.columns.item_id, 'item_id') }}
        {%- if order == 'rank' %},
        cast({{ source.columns.rank }} as bigint) as given_rank
        {%- endif %}
        {%- if order == 'score' or check_order or scored %},
        {{ sqlrec.named(sqlrec.score(plan, source), 'score') }}
        {%- endif %}
        {%- if by_row %},
        {{ source.columns.order_by or 'row_number() over ()' }} as row_order
        {%- if source.columns.order_by and plan.duplicates in ['first', 'last'] %},
        {{ sqlrec.number_of_repeat(plan, source, keys, order) | trim }} as repeat_number
        {%- endif %}
        {%- endif %}
    from {{ source.relation }}
    {%- if order == 'score' and plan.scores == 'positive' %}
    where {{ sqlrec.score(plan, source) }} > 0
    {%- elif order == 'score' and plan.null_scores == 'drop' %}
    where {{ sqlrec.score(plan, source) }} is not null
    {%- endif %}
    {%- endif %}
    {%- endfor %}
),
{% if of_truth %}
-- The lists of users of the truth.
{{ side }}recommended_to_truth as (
    select *
    from {{ side }}recommended
    where user_id is null or user_id in (select {{ plan.truth.columns.user_id }} from {{ plan.truth.relation }})
),
{% endif %}
{% endmacro %}

-- An item counts once in a list, at its best or last place.
{% macro distinct_items(plan, side, keys, order, check_order, scored, by_row, given, source) %}
-- An item counts once in a list, at its {{ plan.duplicates }} place.
{{ side }}distinct_items as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if plan.duplicates in ['first', 'last'] and sqlrec.has_row_order(plan) %}
        max(case when repeat_number = 1 then {{ given }} end) as best_{{ given }},
        {%- elif plan.duplicates in ['first', 'last'] %}
        {{ 'arg_max' if plan.duplicates == 'last' else 'arg_min' }}({{ given }}, row_order) as best_{{ given }},
        {%- else %}
        {{ 'max' if order == 'score' else 'min' }}({{ given }}) as best_{{ given }},
        {%- endif %}
        {%- if (check_order or scored) and order != 'score' %}
        max(score) as score,
        {%- endif %}
        {%- if by_row %}
        min(row_order) as row_order,
        {%- endif %}
        count(*) - 1 as repeats
    from {{ source }}
    group by {{ sqlrec.names(keys) }}, item_id
),
{% if side != 'baseline_' and plan.audit %}
{{ side }}repeated as (
    {#- Of which segment they are, the user says. #}
    {%- set whose = keys if plan.by else keys | reject('equalto', 'user_id') | list %}
    select {{ whose | join(', ') ~ ', ' if whose }}sum(repeats) as repeated_rows
    from {{ side }}distinct_items
    {{ 'group by ' ~ whose | join(', ') if whose }}
),
{% endif %}
{% endmacro %}

{% macro recommended_and_met(plan, keys, given, source, scored) %}
-- What the truth says of each item, which decides between equal scores.
recommended_and_met as (
    select
        {{ sqlrec.taken(keys, source) }},
        {{ source }}.item_id as item_id,
        {{ source }}.{{ given }} as {{ given }},
        coalesce(relevant.relevance, 0) as relevance,
        coalesce(relevant.is_relevant, 0) as is_relevant
    from {{ source }}
    left join {{ 'first_judgments as ' if plan.truth_duplicates in ['rows', 'summed', 'lines', 'error'] }}relevant
        on relevant.user_id = {{ source }}.user_id
        and relevant.item_id = {{ source }}.item_id
),
{% endmacro %}

-- Places by score, down to the deepest that cutoffs reach.
{% macro ranked_by_score(plan, side, source, keys, given, scored, places, used) %}
{% set shared = plan.ties == 'shared' and side != 'baseline_' %}
{% set expected = plan.ties == 'expected' and side != 'baseline_' %}
{% set used = used + ['places_above'] if expected else used | reject('equalto', 'places_above') | list %}
{% set last_place = sqlrec.last_place(plan) %}
{{ sqlrec.ranked(plan, side, source, keys, given, scored or shared, expected, last_place, used) }}
{% if shared %}
{{ sqlrec.shared_places_of_lists(plan, side, keys, used + (['score'] if scored else []), 'sharing') }}
{% endif %}
-- The places that the cutoffs reach.
{{ places }} as (
    select {{ sqlrec.names(keys) }}, item_id, {{ 'score, ' if scored }}rank
        {{- sqlrec.chosen({'unplaced': 'unplaced', 'tied': 'tied', 'places_above': 'places_above'}, used) }}
        {%- if shared %}
        {%- for k in plan.cutoffs %},
        {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
        {%- endif %}
    from {{ side }}{{ 'sharing' if shared else 'ranked' }}
    {%- if expected and last_place < plan.whole_list %}
    where places_above < {{ last_place }}
    {%- elif last_place < plan.whole_list %}
    where rank <= {{ last_place }}{{ ' or ' ~ sqlrec.column_at(plan, 'shared', plan.depth) ~ ' > 0' if shared and plan.depth == last_place }}
    {%- endif %}
),
{% endmacro %}

-- Items with equal scores share what their places are worth.
{% macro shared_places_of_lists(plan, side, keys, used, name) %}
-- Items with equal scores share what their places are worth.
{{ side }}{{ name }} as (
    select
        {{ sqlrec.names(keys) }}, item_id, rank
        {{- sqlrec.chosen({'score': 'score', 'unplaced': 'unplaced', 'tied': 'tied'}, used) }}
        {%- for k in plan.cutoffs %},
        {{ sqlrec.mean('case when rank <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'rank') ~ ' else 0 end') }}
            over (partition by {{ sqlrec.names(keys) }}, {{ sqlrec.part_of('score') }}) as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
    from {{ side }}ranked
    {%- if plan.ends %}
    where rank <= {{ plan.ends }}
    {%- endif %}
),
{% endmacro %}

{% macro lengths_of_lists(plan, side, keys, order, check_order, scored, used) %}
{% set last_place = sqlrec.last_place(plan) %}
{# Ranks that are made here leave no place out. #}
{% set dense = order == 'score' and not (plan.ties == 'shared' and side != 'baseline_') and plan.audit %}
{% set columns = {} %}
{% for k in plan.cutoffs %}
{% set _ = columns.update({
    sqlrec.column_at(plan, 'places', k): sqlrec.places_within(k, last_place, dense) if plan.audit else sqlrec.default__places_within(k, last_place),
    sqlrec.column_at(plan, 'tied', k): sqlrec.one_at(k, 'tied', last_place) if order == 'score' else none,
}) %}
{% endfor %}
{% set violations %}
case when user_id is null {{ 'or model is null ' if 'model' in keys }}then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {%- if plan.duplicates == 'error' %}
        + {{ 'sum(again)' if sqlrec.follows_itself(plan, keys) | trim else 'count(item_id) - count(distinct item_id)' }}
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
        {%- endif %}
{%- endset %}
{% set _ = columns.update({'violations': violations | trim}) %}
-- How long each list is.
{{ side }}list_lengths as (
    select {{ sqlrec.names(keys) }}
        {{- sqlrec.chosen(columns, used) }}
    from {{ side }}listed
    {%- if order == 'score' and plan.ties == 'expected' and side != 'baseline_' and last_place < plan.whole_list %}
    where rank <= {{ last_place }}
    {%- endif %}
    group by {{ sqlrec.names(keys) }}
),
{% endmacro %}

-- The places of items with scores. The order is total: what the score leaves open, the item decides.
{% macro ranked(plan, side, source, keys, given, scored, expected, last_place, used) -%}
{{ (adapter.dispatch('ranked', 'sqlrec') if plan.audit else sqlrec.default__ranked)(plan, side, source, keys, given, scored, expected, last_place, used) }}
{%- endmacro %}
{% macro default__ranked(plan, side, source, keys, given, scored, expected, last_place, used) %}
{% set by_score = 'partition by ' ~ sqlrec.names(keys) ~ ' order by ' ~ sqlrec.by_score(plan, given) %}
{% set window = by_score ~ ', ' ~ sqlrec.among_equals(plan, side) %}
{{ side }}ranked as (
    select {{ sqlrec.names(keys) }}, item_id,
        {%- if scored %}
        {{ sqlrec.named(given, 'score') }},
        {%- endif %}
        row_number() over ({{ window }}) as rank
        {{- sqlrec.chosen({
            'places_above': 'rank() over (' ~ by_score ~ ') - 1',
            'unplaced': 'case when ' ~ given ~ ' is null then 1 else 0 end',
            'tied': 'case when lead(' ~ given ~ ') over (' ~ window ~ ') = ' ~ given ~ ' then 1 else 0 end',
        }, used) }}
    from {{ source }}
),
{% endmacro %}

-- DuckDB sorts by the score alone, and sorts again what that leaves open: a quarter less work where few
-- scores are equal.
{% macro duckdb__ranked(plan, side, source, keys, given, scored, expected, last_place, used) %}
{% set by_score = 'partition by ' ~ sqlrec.names(keys | reverse) ~ ' order by ' ~ sqlrec.by_score(plan, given) %}
{% set equals = 'partition by ' ~ sqlrec.names(keys) ~ ', first_place' %}
{% set window = equals ~ ' order by ' ~ sqlrec.among_equals(plan, side) %}
{{ side }}scored as (
    select *,
        rank() over ({{ by_score }}) as first_place,
        row_number() over ({{ by_score }}) as some_place,
        coalesce(lead({{ given }}) over ({{ by_score }}) = {{ given }}, {{ given }} is null) as before_equal
    from {{ source }}
),
{{ side }}ranked as (
    {%- for equal in [false, true] %}
    {{ 'union all' if equal }}
    select {{ sqlrec.names(keys) }}, item_id,
        {%- if scored %}
        {{ sqlrec.named(given, 'score') }},
        {%- endif %}
        {{ 'first_place - 1 + row_number() over (' ~ window ~ ')' if equal else 'first_place' }} as rank
        {{- sqlrec.chosen({
            'places_above': 'first_place - 1',
            'unplaced': 'case when ' ~ given ~ ' is null then 1 else 0 end',
            'tied': 'case when ' ~ given ~ ' is not null and row_number() over (' ~ window ~ ') < count(*) over (' ~ equals ~ ') then 1 else 0 end' if equal else '0',
        }, used) }}
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
{%- if plan.k -%}
{{ table }}.{{ sqlrec.column_at(plan, name, plan.k) }}
{%- else -%}
case {{ k }}{% for cutoff in plan.cutoffs %} when {{ cutoff }} then {{ table }}.{{ sqlrec.column_at(plan, name, cutoff) }}{% endfor %} end
{%- endif -%}
{%- endmacro %}

-- 1 where a score is no number to count with, else 0: too large to be added up, or missing where the
-- rank orders the list, so that no other rule finds it.
{% macro unscored(plan, order) -%}
case when score between {{ sqlrec.double(-1e100) }} and {{ sqlrec.double(1e100) }}{{ ' or score is null' if order == 'score' or plan.null_scores != 'error' }} then 0 else 1 end
{%- endmacro %}

{% macro score(plan, source) -%}
{{ sqlrec.number(source.columns.score) if plan.audit and source.floating.score else source.columns.score }}
{%- endmacro %}

-- The model of rows of recs, and the user, as entries of a select.
{% macro list_keys(plan, keys, source) -%}
{% if 'model' in keys -%}
{{ sqlrec.named(sqlrec.model(plan, source), 'model') }}, {% endif -%}
{{ sqlrec.named(source.columns.user_id, 'user_id') }}
{%- endmacro %}

{% macro model(plan, source) -%}
{%- set model = source.columns.model if source.model is not none or not plan.audit else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models and plan.audit else model }}
{%- endmacro %}

-- What stands before what, of items with equal scores.
{% macro among_equals(plan, side, item='item_id') -%}
{%- if plan.ties in ['best', 'worst'] and side != 'baseline_' -%}
{%- set direction = 'desc' if plan.ties == 'best' else 'asc' -%}
relevance {{ direction }}, is_relevant {{ direction }}, {% endif -%}
{%- if plan.ties == 'first' -%}
{{ sqlrec.by_row(plan) }}
{%- elif plan.ties in ['text_asc', 'text_desc'] -%}
{{ sqlrec.by_text(plan.ties[5:], item) }}
{%- else -%}
{{ sqlrec.items_in_order(plan, 'desc' if plan.ties == 'item_desc' else 'asc', item) }}
{%- endif %}
{%- endmacro %}

-- Items by their ids. The plain form goes by the order that the database has for them.
{% macro items_in_order(plan, direction='asc', item='item_id') %}{{ (sqlrec.by_item if plan.audit else sqlrec.plainly_by_item)(direction, item) }}{% endmacro %}

{% macro by_score(plan, given) -%}
{#- Where a missing score is an error it comes first, so that every cutoff meets it. #}
{{- given ~ ' desc' if not plan.audit and plan.null_scores == 'error' else sqlrec.descending(given, 'last' if plan.null_scores == 'last' else 'first') }}
{%- endmacro %}
